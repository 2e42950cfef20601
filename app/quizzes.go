package app

import (
	"context"

	"lyceum/domain/query"
	"lyceum/domain/quiz"
)

// Quizzes is what can be done with quizzes.
type Quizzes struct{ deps }

// List returns a page of quizzes.
func (u *Quizzes) List(ctx context.Context, a Actor, q query.Query) (query.Result[quiz.Summary], error) {
	return u.store.Read(a.school).Quizzes.List(ctx, q)
}

// Get returns one quiz.
func (u *Quizzes) Get(ctx context.Context, a Actor, id quiz.ID) (quiz.Summary, error) {
	return u.store.Read(a.school).Quizzes.Get(ctx, id)
}
