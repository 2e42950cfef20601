package transfer

import (
	"context"
	"slices"

	"github.com/google/uuid"
	"lyceum/app/transfer/format"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
)

func (m *importer) importQuiz(ctx context.Context, l *format.Quiz) error {
	created, updated := m.timestamps(l.CreatedAt, l.UpdatedAt)
	questions, active, err := m.questions(l.Questions)
	if err != nil {
		return err
	}
	if active == 0 && len(questions) > 0 {
		return fault.Invalidf("questions", "must include at least one that is not archived")
	}
	q, err := quiz.New(quiz.ID{UUID: m.id(l.Kind, l.ID)}, l.Name, questions[:active], created)
	if err != nil {
		return err
	}
	if _, err := q.Merge(questions[:active], questions[active:], m.newID, created); err != nil {
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
		return m.changeQuiz(ctx, l.Kind, known, questions, active)
	}
	if err := checkPrecedingOrdinal(key, func(t ordinalName) bool { return m.quizzes[t] != nil }); err != nil {
		return err
	}
	m.questionOrder[s.ID] = orderedQuestions(questions, active, s)
	s.UpdatedAt = updated
	register(m.quizzes, key, s, m.line)
	m.batch.Quizzes = append(m.batch.Quizzes, quiz.Restore(s))
	m.created(l.Kind, 1+len(questions))
	return nil
}

// changeQuiz updates an existing quiz from its line. applyStructureChanges saves it.
func (m *importer) changeQuiz(ctx context.Context, kind string, known *entry[quiz.State], questions []quiz.Question, active int) error {
	was, next := known.record, quiz.Restore(known.record)
	differs, err := next.Merge(questions[:active], questions[active:], m.newID, m.now)
	if err != nil {
		return err
	}
	if differs {
		if err := m.mayChangeQuiz(ctx, was.ID); err != nil {
			return err
		}
	}
	known.record = next.State()
	delete(m.quizzesByID, was.ID)
	m.questionOrder[was.ID] = orderedQuestions(questions, active, known.record)
	return m.saveIfChanged(kind, differs, func() error {
		m.pending.quizzes = append(m.pending.quizzes, changedQuiz{before: was, after: next})
		return nil
	})
}

func (m *importer) newID() uuid.UUID { return m.deps.IDs.New() }

// orderedQuestions returns has with its questions in the order of its line. questions contains the
// questions of the line. The first `active` questions are not archived.
func orderedQuestions(questions []quiz.Question, active int, has quiz.State) quiz.State {
	byKey := map[string]quiz.Question{}
	for _, q := range slices.Concat(has.Questions, has.Archived) {
		byKey[q.Key] = q
	}
	list := make([]quiz.Question, len(questions))
	for i, q := range questions {
		list[i] = byKey[q.Key]
	}
	return quiz.State{Questions: list[:active], Archived: list[active:]}
}

// questions returns the questions of a line with their keys. The first active questions of the
// result are not archived.
func (m *importer) questions(lines []format.Question) (all []quiz.Question, active int, err error) {
	var errs []error
	for i, l := range lines {
		switch {
		case !l.Archived && active < i:
			errs = append(errs, fault.Invalidf(indexPath("questions", i), "must come before all archived questions"))
		case !l.Archived:
			active++
		}
		q := quiz.Question{ID: quiz.QuestionID{UUID: m.id("question", l.ID)}, Key: l.Key, Text: l.Text}
		for _, c := range l.Choices {
			q.Choices = append(q.Choices, quiz.Choice{Text: c.Text, Correct: c.Correct})
		}
		all = append(all, q)
	}
	return quiz.WithKeys(all), active, fault.Join(errs...)
}
