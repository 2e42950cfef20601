package learning

import (
	"context"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// Statistics tests ports.Statistics.
func Statistics(t *testing.T, b fixture.Backend) {
	is, w := is.New(t), fixture.NewWorld(t, b)
	since := analytics.WeekOf(w.Clock.Now())
	of := func(scope analytics.StatisticsScope) analytics.Statistics {
		scope.Since = since
		found, err := w.Read().Statistics.Of(w.Context(), scope)
		is.NoErr(err)
		return found
	}
	all := analytics.StatisticsScope{Limit: 10, MinAnswer: 1}
	is.Equal(of(all), analytics.Statistics{Courses: []analytics.CourseStatistics{}, Questions: []analytics.Difficulty{}})

	l, small := fixture.NewCourseFixture(w.Tenant, "one"), w.AddCourse("Small")
	other := l.AddLearner(w.Tenant, "grace@example.test")
	w.Save(w.NewEnrollment(other.Person, l.Course.ID, enrollment.Manager)) // managers are not counted
	w.Complete(l.Attempt.ID, l.Text.ID, w.NextTime())
	w.Complete(l.Attempt.ID, l.Video.ID, w.NextTime())
	w.Complete(other.ID, l.Text.ID, w.NextTime())
	w.Do(func(ctx context.Context, tx ports.Tx) error {
		a, err := fixture.LatestAttempt(ctx, tx, l.Learner.ID, l.Course.ID)
		if err != nil {
			return err
		}
		s := a.State()
		s.Progress = 50_00
		return tx.Attempts.Save(ctx, attempt.Restore(s))
	})
	w.Save(w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 1, true, false), w.NewQuizAttempt(other, l.QuizActivity, l.Quiz, 1, true, false))
	week := analytics.Week{Start: since, Active: 2, Enrollments: 2, Completions: 3}
	counts := analytics.CourseStatistics{Course: l.Course.ID, Name: l.Course.Name, Learners: [4]int64{1, 0, 1, 0}}
	question := func(i int, correct int64) analytics.Difficulty {
		q := l.Quiz.Questions[i]
		return analytics.Difficulty{Question: q.ID, Text: q.Text, Quiz: l.Quiz.ID, QuizName: l.Quiz.Name, Answers: 2, Correct: correct}
	}
	is.Equal(fixture.Diff(of(all), analytics.Statistics{
		Weeks: []analytics.Week{week}, Courses: []analytics.CourseStatistics{counts, {Course: small.ID, Name: small.Name}},
		Questions: []analytics.Difficulty{question(1, 0), question(0, 2)},
	}), "")

	narrow := all
	narrow.Courses = []course.ID{small.ID}
	is.Equal(fixture.Diff(of(narrow), analytics.Statistics{
		Courses: []analytics.CourseStatistics{{Course: small.ID, Name: small.Name}}, Questions: []analytics.Difficulty{},
	}), "")
	narrow.Courses = []course.ID{l.Course.ID}
	is.Equal(fixture.Diff(of(narrow), analytics.Statistics{
		Weeks: []analytics.Week{week}, Courses: []analytics.CourseStatistics{counts}, Questions: []analytics.Difficulty{question(1, 0), question(0, 2)},
	}), "")
	narrow.Courses = []course.ID{}
	is.Equal(len(of(narrow).Weeks), 0)
	is.Equal(len(of(narrow).Courses), 0)
	narrow = all
	narrow.Limit = 1
	is.Equal(len(of(narrow).Courses), 1)
	is.Equal(len(of(narrow).Questions), 1)
	narrow = all
	narrow.MinAnswer = 3
	is.Equal(len(of(narrow).Questions), 0)

	monday := since
	since = w.Clock.Now().Add(time.Hour) // everything is older
	is.Equal(len(of(all).Weeks), 0)
	is.Equal(len(of(all).Questions), 0)
	is.Equal(len(of(all).Courses), 2) // the progress is the current one
	since = monday

	// A week ends with Sunday.
	sunday := monday.AddDate(0, 0, 7).Add(-time.Millisecond)
	w.Complete(other.ID, l.Video.ID, sunday)
	w.Complete(l.Attempt.ID, l.QuizActivity.ID, sunday.Add(time.Millisecond))
	week.Completions++
	is.Equal(fixture.Diff(of(all).Weeks, []analytics.Week{week, {Start: monday.AddDate(0, 0, 7), Active: 1, Completions: 1}}), "")

	// A course that is being removed is not counted.
	w.Do(func(ctx context.Context, tx ports.Tx) error {
		return tx.Courses.BeginRemoval(ctx, l.Course.ID, w.NextTime())
	})
	for _, scope := range []analytics.StatisticsScope{all, {Courses: []course.ID{l.Course.ID, small.ID}, Limit: 10, MinAnswer: 1}} {
		is.Equal(fixture.Diff(of(scope), analytics.Statistics{
			Courses: []analytics.CourseStatistics{{Course: small.ID, Name: small.Name}}, Questions: []analytics.Difficulty{},
		}), "")
	}
}
