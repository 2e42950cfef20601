package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/analytics"
	"lyceum/domain/query"
)

// Analytics lists what learners have done.
type Analytics struct{ deps usecase.Deps }

// Courses returns a page of the progress of learners in their course attempts.
func (u *Analytics) Courses(ctx context.Context, a Actor, q query.Query) (query.Result[analytics.CourseProgress], error) {
	return u.deps.Store.Read(a.School()).CourseAnalytics.List(ctx, q)
}

// Scores returns a page of the scores of learners in quizzes.
func (u *Analytics) Scores(ctx context.Context, a Actor, q query.Query) (query.Result[analytics.QuizScore], error) {
	return u.deps.Store.Read(a.School()).QuizScores.List(ctx, q)
}

// Answers returns a page of the answers of learners.
func (u *Analytics) Answers(ctx context.Context, a Actor, q query.Query) (query.Result[analytics.RawAnswer], error) {
	return u.deps.Store.Read(a.School()).RawAnswers.List(ctx, q)
}

// QuizAttempts returns a page of the quiz attempts of learners.
func (u *Analytics) QuizAttempts(ctx context.Context, a Actor, q query.Query) (query.Result[analytics.QuizAttempt], error) {
	return u.deps.Store.Read(a.School()).QuizAttempts.List(ctx, q)
}

// Completions returns a page of the activities that learners have completed.
func (u *Analytics) Completions(ctx context.Context, a Actor, q query.Query) (query.Result[analytics.Completion], error) {
	return u.deps.Store.Read(a.School()).Completions.List(ctx, q)
}
