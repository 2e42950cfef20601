package transfer

import (
	"slices"

	"github.com/google/uuid"
	"lyceum/app/transfer/format"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
)

func (m *importing) quiz(l *format.Quiz) error {
	created, updated := m.times(l.CreatedAt, l.UpdatedAt)
	questions, asked, err := m.questions(l.Questions)
	if err != nil {
		return err
	}
	if asked == 0 && len(questions) > 0 {
		return fault.Invalidf("questions", "are all archived")
	}
	q, err := quiz.New(quiz.ID{UUID: m.id(l.Kind, l.ID)}, l.Name, questions[:asked], created)
	if err != nil {
		return err
	}
	if _, err := q.Adopt(questions[:asked], questions[asked:], m.newID, created); err != nil {
		return err
	}
	s := q.State()
	key, err := called(s.Name, l.Nth)
	if err != nil {
		return err
	}
	known, err := claim(m.quizzes, key, m.line)
	if err != nil {
		return err
	}
	if known != nil {
		return m.changeQuiz(l.Kind, known, questions, asked)
	}
	if err := before(key, func(t title) bool { return m.quizzes[t] != nil }); err != nil {
		return err
	}
	m.lists[s.ID] = listed(questions, asked, s)
	s.UpdatedAt = updated
	bring(m.quizzes, key, s, m.line)
	m.batch.Quizzes = append(m.batch.Quizzes, quiz.Restore(s))
	m.created(l.Kind, 1+len(questions))
	return nil
}

// changeQuiz makes a quiz that the school has ask what its line tells.
func (m *importing) changeQuiz(kind string, known *entry[quiz.State], questions []quiz.Question, asked int) error {
	was, next := known.is, quiz.Restore(known.is)
	differs, err := next.Adopt(questions[:asked], questions[asked:], m.newID, m.now)
	if err != nil {
		return err
	}
	known.is = next.State()
	delete(m.byQuiz, was.ID)
	m.lists[was.ID] = listed(questions, asked, known.is)
	return m.change(kind, differs, func() error {
		m.pending.quizzes = append(m.pending.quizzes, reworded{was: was, next: next})
		return nil
	})
}

func (m *importing) newID() uuid.UUID { return m.deps.IDs.New() }

// listed returns the questions in the order in which a line lists them, so many of
// them asked, as the quiz has them.
func listed(questions []quiz.Question, asked int, has quiz.State) quiz.State {
	byKey := map[string]quiz.Question{}
	for _, q := range slices.Concat(has.Questions, has.Archived) {
		byKey[q.Key] = q
	}
	list := make([]quiz.Question, len(questions))
	for i, q := range questions {
		list[i] = byKey[q.Key]
	}
	return quiz.State{Questions: list[:asked], Archived: list[asked:]}
}

// questions returns the questions of a line with their keys, and how many of them are asked: those
// that are archived stand behind.
func (m *importing) questions(lines []format.Question) (all []quiz.Question, asked int, err error) {
	var errs []error
	for i, l := range lines {
		switch {
		case !l.Archived && asked < i:
			errs = append(errs, fault.Invalidf(element("questions", i), "stands behind an archived one"))
		case !l.Archived:
			asked++
		}
		q := quiz.Question{ID: quiz.QuestionID{UUID: m.id("question", l.ID)}, Key: l.Key, Text: l.Text}
		for _, c := range l.Choices {
			q.Choices = append(q.Choices, quiz.Choice{Text: c.Text, Correct: c.Correct})
		}
		all = append(all, q)
	}
	return quiz.Keyed(all), asked, fault.Join(errs...)
}
