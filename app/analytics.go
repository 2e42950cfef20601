package app

import (
	"context"
	"slices"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/analytics"
	"lyceum/domain/course"
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

// statisticsLimit is the maximum number of courses and questions in statistics.
const statisticsLimit = 10

// Statistics returns the statistics of some weeks, up to this week or, if nothing happened in them,
// up to the week of the last completion. courses limits them to some courses; nil: all courses of
// the school.
func (u *Analytics) Statistics(ctx context.Context, a Actor, courses []course.ID, weeks int) (analytics.Statistics, error) {
	found, err := u.statisticsTo(ctx, a, courses, weeks, u.deps.Clock.Now())
	if err != nil || slices.ContainsFunc(found.Weeks, analytics.Week.HasRecords) {
		return found, err
	}
	last := query.Query{Page: query.NewPage(1, 1)}
	if courses != nil {
		last = last.And(query.HasAnyID(analytics.CompletionSchema.Attr("course.id"), courses))
	}
	done, err := u.deps.Read(a).Completions.List(ctx, last)
	if err != nil || len(done.Items) == 0 {
		return found, err
	}
	return u.statisticsTo(ctx, a, courses, weeks, done.Items[0].At)
}

// statisticsTo returns the statistics of the weeks up to the week of end.
func (u *Analytics) statisticsTo(
	ctx context.Context, a Actor, courses []course.ID, weeks int, end time.Time,
) (analytics.Statistics, error) {
	since := analytics.WeekOf(end).AddDate(0, 0, -7*(weeks-1))
	found, err := u.deps.Read(a).Statistics.Of(ctx, analytics.StatisticsScope{
		Courses: courses, Since: since, Limit: statisticsLimit, MinAnswer: 1,
	})
	found.Weeks = analytics.FillWeeks(found.Weeks, since, end)
	return found, err
}
