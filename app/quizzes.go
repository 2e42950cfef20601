package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
)

// Quizzes lists and gets quizzes.
type Quizzes struct{ deps usecase.Deps }

// List returns a page of quizzes.
func (u *Quizzes) List(ctx context.Context, a Actor, q query.Query) (query.Result[quiz.Summary], error) {
	return u.deps.Read(a).Quizzes.List(ctx, q)
}

// Get returns the quiz with the given id, or NotFound if it does not exist.
func (u *Quizzes) Get(ctx context.Context, a Actor, id quiz.ID) (quiz.Summary, error) {
	return u.deps.Read(a).Quizzes.Get(ctx, id)
}

// WithQuestions returns the quiz with the given id and all its questions, or NotFound if it does not
// exist.
func (u *Quizzes) WithQuestions(ctx context.Context, a Actor, id quiz.ID) (quiz.State, error) {
	return u.deps.Read(a).Quizzes.WithQuestions(ctx, id)
}
