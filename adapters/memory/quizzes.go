package memory

import (
	"context"
	"slices"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
	"lyceum/ports"
)

var (
	_ ports.QuizReader = quizReader{}
	_ ports.QuizRepo   = quizzes{}
)

var quizKind = ordered.Kind[quiz.Summary]{
	Name:   quiz.Type,
	Schema: quiz.Schema,
	ID:     func(q *quiz.Summary) uuid.UUID { return q.ID.UUID },
	Clone: func(q quiz.Summary) quiz.Summary {
		q.Activities = slices.Clone(q.Activities)
		return q
	},
}

func cloneQuestions(questions []quiz.Question) []quiz.Question {
	cloned := slices.Clone(questions)
	for i := range cloned {
		cloned[i].Choices = slices.Clone(cloned[i].Choices)
	}
	return cloned
}

type quizReader struct {
	tableReader[quiz.ID, quiz.Summary]
}

func quizzesIn(v view) quizReader {
	return quizReader{tableReader[quiz.ID, quiz.Summary]{
		view: v, table: func(s *state) *versioned[*ordered.Table[quiz.Summary]] { return &s.quizzes },
	}}
}

// WithQuestions implements ports.QuizReader.
func (r quizReader) WithQuestions(ctx context.Context, id quiz.ID) (quiz.State, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return quiz.State{}, err
	}
	if !s.quizzes.table.Has(id.UUID) {
		return quiz.State{}, fault.RecordNotFound()
	}
	return s.quiz(id).State(), nil
}

// quizzes reads and writes quizzes. Their questions are in a separate table.
type quizzes struct {
	quizReader
	tx *tx
}

// GetManyForShare implements ports.QuizRepo.
func (r quizzes) GetManyForShare(ctx context.Context, ids []quiz.ID) (map[quiz.ID]quiz.Quiz, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	return ordered.GetMany(s.quizzes.table, ids, func(q quiz.Summary) quiz.Quiz { return s.quiz(q.ID) }), nil
}

// quiz returns a quiz, which must exist, with its questions.
func (s *state) quiz(id quiz.ID) quiz.Quiz {
	q, _ := s.quizzes.table.ByID.Get(id.UUID)
	questions, _ := s.questions.table.Get(id.UUID)
	return quiz.Restore(quiz.State{
		ID: id, Name: q.Row.Name,
		Questions: cloneQuestions(questions.active), Archived: cloneQuestions(questions.archived),
		CreatedAt: q.Row.CreatedAt, UpdatedAt: q.Row.UpdatedAt,
	})
}

// add inserts a new quiz with its questions.
func (r quizzes) add(ctx context.Context, q quiz.Quiz) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	added := q.State()
	err = s.quizzes.writable(s.version).Insert(quiz.Summary{
		ID: added.ID, Name: added.Name, CreatedAt: added.CreatedAt, UpdatedAt: added.UpdatedAt,
	})
	if err != nil {
		return err
	}
	s.setQuestions(added)
	return nil
}

// questions contains the questions of a quiz.
type questions struct{ active, archived []quiz.Question }

// setQuestions stores copies of the questions of a quiz.
func (s *state) setQuestions(q quiz.State) {
	s.questions.writable(s.version).Set(q.ID.UUID, questions{cloneQuestions(q.Questions), cloneQuestions(q.Archived)})
}
