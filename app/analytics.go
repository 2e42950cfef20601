package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/analytics"
	"lyceum/domain/query"
)

// Analytics is the lists that show how people learn.
type Analytics struct{ deps usecase.Deps }

// Courses returns a page of how far learners have come in their courses.
func (u *Analytics) Courses(ctx context.Context, a Actor, q query.Query) (query.Result[analytics.CourseRow], error) {
	return u.deps.Store.Read(a.School()).CourseAnalytics.List(ctx, q)
}

// Scores returns a page of how learners have done in quizzes.
func (u *Analytics) Scores(ctx context.Context, a Actor, q query.Query) (query.Result[analytics.QuizScore], error) {
	return u.deps.Store.Read(a.School()).QuizScores.List(ctx, q)
}

// Answers returns a page of the answers that learners have given.
func (u *Analytics) Answers(ctx context.Context, a Actor, q query.Query) (query.Result[analytics.RawAnswer], error) {
	return u.deps.Store.Read(a.School()).RawAnswers.List(ctx, q)
}

// QuizRuns returns a page of the runs of learners through quizzes.
func (u *Analytics) QuizRuns(ctx context.Context, a Actor, q query.Query) (query.Result[analytics.QuizRun], error) {
	return u.deps.Store.Read(a.School()).QuizRuns.List(ctx, q)
}

// Completions returns a page of what learners have completed.
func (u *Analytics) Completions(ctx context.Context, a Actor, q query.Query) (query.Result[analytics.Completion], error) {
	return u.deps.Store.Read(a.School()).Completions.List(ctx, q)
}
