package transfer

import (
	"slices"

	"github.com/google/uuid"
	"lyceum/app/transfer/format"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
)

func (m *importer) quiz(l *format.Quiz) error {
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
	if _, err := q.Merge(questions[:asked], questions[asked:], m.newID, created); err != nil {
		return err
	}
	s := q.State()
	key, err := ordinalNameOf(s.Name, l.Nth)
	if err != nil {
		return err
	}
	known, err := markSeen(m.quizzes, key, m.line)
	if err != nil {
		return err
	}
	if known != nil {
		return m.changeQuiz(l.Kind, known, questions, asked)
	}
	if err := checkNumberBefore(key, func(t ordinalName) bool { return m.quizzes[t] != nil }); err != nil {
		return err
	}
	m.questionOrder[s.ID] = listed(questions, asked, s)
	s.UpdatedAt = updated
	register(m.quizzes, key, s, m.line)
	m.batch.Quizzes = append(m.batch.Quizzes, quiz.Restore(s))
	m.created(l.Kind, 1+len(questions))
	return nil
}

// changeQuiz updates an existing quiz from its line. It is saved by applyStructureChanges.
func (m *importer) changeQuiz(kind string, known *entry[quiz.State], questions []quiz.Question, asked int) error {
	was, next := known.is, quiz.Restore(known.is)
	differs, err := next.Merge(questions[:asked], questions[asked:], m.newID, m.now)
	if err != nil {
		return err
	}
	known.is = next.State()
	delete(m.byQuiz, was.ID)
	m.questionOrder[was.ID] = listed(questions, asked, known.is)
	return m.change(kind, differs, func() error {
		m.pending.quizzes = append(m.pending.quizzes, changedQuiz{was: was, next: next})
		return nil
	})
}

func (m *importer) newID() uuid.UUID { return m.deps.IDs.New() }

// listed returns the questions of the quiz in the order of its line, the first ones active.
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

// questions returns the questions of a line with their keys, and the number of active ones, which
// come first.
func (m *importer) questions(lines []format.Question) (all []quiz.Question, asked int, err error) {
	var errs []error
	for i, l := range lines {
		switch {
		case !l.Archived && asked < i:
			errs = append(errs, fault.Invalidf(indexPath("questions", i), "follows an archived question"))
		case !l.Archived:
			asked++
		}
		q := quiz.Question{ID: quiz.QuestionID{UUID: m.id("question", l.ID)}, Key: l.Key, Text: l.Text}
		for _, c := range l.Choices {
			q.Choices = append(q.Choices, quiz.Choice{Text: c.Text, Correct: c.Correct})
		}
		all = append(all, q)
	}
	return quiz.WithKeys(all), asked, fault.Join(errs...)
}
