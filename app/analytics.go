package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/analytics"
	"lyceum/domain/query"
)

// Analytics lists what learners have done. A learner sees only their own records.
type Analytics struct{ deps usecase.Deps }

// Courses returns a page of the progress of learners in their course attempts.
func (u *Analytics) Courses(ctx context.Context, a Actor, q query.Query) (query.Result[analytics.CourseProgress], error) {
	a, q = a.Own(q, analytics.CourseSchema.Attr("person.id"))
	return u.deps.Read(a).CourseAnalytics.List(ctx, q)
}

// Scores returns a page of the scores of learners in quizzes.
func (u *Analytics) Scores(ctx context.Context, a Actor, q query.Query) (query.Result[analytics.QuizScore], error) {
	a, q = a.Own(q, analytics.ScoreSchema.Attr("person.id"))
	return u.deps.Read(a).QuizScores.List(ctx, q)
}

// Answers returns a page of the answers of learners.
func (u *Analytics) Answers(ctx context.Context, a Actor, q query.Query) (query.Result[analytics.RawAnswer], error) {
	a, q = a.Own(q, analytics.AnswerSchema.Attr("person.id"))
	return u.deps.Read(a).RawAnswers.List(ctx, q)
}

// QuizAttempts returns a page of the quiz attempts of learners.
func (u *Analytics) QuizAttempts(ctx context.Context, a Actor, q query.Query) (query.Result[analytics.QuizAttempt], error) {
	a, q = a.Own(q, analytics.QuizAttemptSchema.Attr("person.id"))
	return u.deps.Read(a).QuizAttempts.List(ctx, q)
}

// Completions returns a page of the activities that learners have completed.
func (u *Analytics) Completions(ctx context.Context, a Actor, q query.Query) (query.Result[analytics.Completion], error) {
	a, q = a.Own(q, analytics.CompletionSchema.Attr("person.id"))
	return u.deps.Read(a).Completions.List(ctx, q)
}
