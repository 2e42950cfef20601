package memory

import (
	"context"
	"slices"

	"github.com/google/uuid"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/ports"
)

var (
	_ ports.QuizReader = quizReader{}
	_ ports.QuizRepo   = quizzes{}
)

var quizKind = kind[quiz.Summary]{
	name:   quiz.Type,
	schema: quiz.Schema,
	id:     func(q *quiz.Summary) uuid.UUID { return q.ID.UUID },
	clone: func(q quiz.Summary) quiz.Summary {
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
	return s.quizzes.table.list(ctx, q)
}

func (r quizReader) Get(ctx context.Context, id quiz.ID) (quiz.Summary, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return quiz.Summary{}, err
	}
	return s.quizzes.table.get(id.UUID)
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
	return load(s.quizzes.table, ids, func(q quiz.Summary) quiz.Quiz {
		questions, _ := s.questions.table.get(q.ID.UUID)
		return quiz.Restore(quiz.State{
			ID: q.ID, Name: q.Name, Questions: cloneQuestions(questions),
			CreatedAt: q.CreatedAt, UpdatedAt: q.UpdatedAt,
		})
	}), nil
}

func (r quizzes) Add(ctx context.Context, q quiz.Quiz) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	added := q.State()
	err = s.quizzes.own(s.version).insert(quiz.Summary{
		ID: added.ID, Name: added.Name, CreatedAt: added.CreatedAt, UpdatedAt: added.UpdatedAt,
	})
	if err != nil {
		return err
	}
	s.questions.own(s.version).set(added.ID.UUID, cloneQuestions(added.Questions))
	return nil
}
