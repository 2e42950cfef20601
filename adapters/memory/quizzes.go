package memory

import (
	"context"
	"slices"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/query"
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

type quizReader struct{ view view }

func (r quizReader) List(ctx context.Context, q query.Query) (query.Result[quiz.Summary], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[quiz.Summary]{}, err
	}
	return s.quizzes.table.List(ctx, q)
}

func (r quizReader) Get(ctx context.Context, id quiz.ID) (quiz.Summary, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return quiz.Summary{}, err
	}
	return s.quizzes.table.Get(id.UUID)
}

type quizzes struct {
	quizReader
	tx *tx
}

func (r quizzes) Load(ctx context.Context, ids []quiz.ID) (map[quiz.ID]quiz.Quiz, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	return ordered.GetMany(s.quizzes.table, ids, func(q quiz.Summary) quiz.Quiz { return s.quiz(q.ID) }), nil
}

// quiz returns a quiz, which there must be, with its questions.
func (s *state) quiz(id quiz.ID) quiz.Quiz {
	q, _ := s.quizzes.table.ByID.Get(id.UUID)
	questions, _ := s.questions.table.Get(id.UUID)
	return quiz.Restore(quiz.State{
		ID: id, Name: q.Row.Name,
		Questions: cloneQuestions(questions.asked), Archived: cloneQuestions(questions.archived),
		CreatedAt: q.Row.CreatedAt, UpdatedAt: q.Row.UpdatedAt,
	})
}

func (r quizzes) Add(ctx context.Context, q quiz.Quiz) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	added := q.State()
	err = s.quizzes.own(s.version).Insert(quiz.Summary{
		ID: added.ID, Name: added.Name, CreatedAt: added.CreatedAt, UpdatedAt: added.UpdatedAt,
	})
	if err != nil {
		return err
	}
	s.ask(added)
	return nil
}

// questions is those of a quiz.
type questions struct{ asked, archived []quiz.Question }

// ask keeps the questions of a quiz.
func (s *state) ask(q quiz.State) {
	s.questions.own(s.version).Set(q.ID.UUID, questions{cloneQuestions(q.Questions), cloneQuestions(q.Archived)})
}
