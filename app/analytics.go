package app

import (
	"context"
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

// sparse is the number of weeks with records below which a longer period is preferred.
const sparse = 4

// Statistics returns the statistics of a period. courses limits them to some courses; nil: all
// courses of the school. For the zero period it chooses twelve weeks. If few of these have records,
// it chooses a year, and all weeks if nothing was completed in the year, provided that more weeks
// have records then.
func (u *Analytics) Statistics(ctx context.Context, a Actor, courses []course.ID, p analytics.Period) (analytics.Statistics, error) {
	if !p.IsZero() {
		return u.statisticsOf(ctx, a, courses, p)
	}
	found, err := u.statisticsOf(ctx, a, courses, analytics.TwelveWeeks)
	active := analytics.CountActive(found.Weeks)
	if err != nil || active >= sparse {
		return found, err
	}
	longer := analytics.Year
	if active == 0 {
		if longer, err = u.periodOfLast(ctx, a, courses); err != nil {
			return found, err
		}
	}
	more, err := u.statisticsOf(ctx, a, courses, longer)
	if err != nil || analytics.CountActive(more.Weeks) > active {
		return more, err
	}
	return found, nil
}

// periodOfLast returns the period that contains the last completion: a year or all weeks.
func (u *Analytics) periodOfLast(ctx context.Context, a Actor, courses []course.ID) (analytics.Period, error) {
	last := query.Query{Page: query.NewPage(1, 1)}
	if courses != nil {
		last = last.And(query.HasAnyID(analytics.CompletionSchema.Attr("course.id"), courses))
	}
	done, err := u.deps.Read(a).Completions.List(ctx, last)
	if err == nil && len(done.Items) > 0 && !done.Items[0].At.Before(since(u.deps.Clock.Now(), analytics.Year)) {
		return analytics.Year, nil
	}
	return analytics.AllWeeks, err
}

// since returns the start of a period that ends now.
func since(now time.Time, p analytics.Period) time.Time {
	return analytics.WeekOf(now).AddDate(0, 0, -7*(p.Weeks()-1))
}

func (u *Analytics) statisticsOf(ctx context.Context, a Actor, courses []course.ID, p analytics.Period) (analytics.Statistics, error) {
	now := u.deps.Clock.Now()
	start := since(now, p)
	found, err := u.deps.Read(a).Statistics.Of(ctx, analytics.StatisticsScope{
		Courses: courses, Since: start, Limit: statisticsLimit, MinAnswer: 1,
	})
	found.Period, found.Weeks = p, analytics.FillWeeks(found.Weeks, start, now)
	if p == analytics.AllWeeks {
		found.Weeks = analytics.TrimWeeks(found.Weeks, analytics.TwelveWeeks.Weeks())
	}
	return found, err
}
