package storetest

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
)

// statistics tests ports.Statistics.
func statistics(t *testing.T, b Backend) {
	is, w := is.New(t), newWorld(t, b)
	since := analytics.WeekOf(w.clock.Now())
	of := func(scope analytics.StatisticsScope) analytics.Statistics {
		scope.Since = since
		found, err := w.read().Statistics.Of(w.ctx(), scope)
		is.NoErr(err)
		return found
	}
	all := analytics.StatisticsScope{Limit: 10, MinAnswer: 1}
	is.Equal(of(all), analytics.Statistics{Courses: []analytics.CourseStatistics{}, Questions: []analytics.Difficulty{}})

	l, small := newCourseFixture(w.tenant, "one"), w.addCourse("Small")
	other := l.addLearner(w.tenant, "grace@example.test")
	w.save(w.newEnrollment(other.Person, l.course.ID, enrollment.Manager)) // managers are not counted
	w.complete(l.attempt.ID, l.text.ID, w.nextTime())
	w.complete(l.attempt.ID, l.video.ID, w.nextTime())
	w.complete(other.ID, l.text.ID, w.nextTime())
	w.do(func(ctx context.Context, tx ports.Tx) error {
		a, err := latestAttempt(ctx, tx, l.learner.ID, l.course.ID)
		if err != nil {
			return err
		}
		s := a.State()
		s.Progress = 50_00
		return tx.Attempts.Save(ctx, attempt.Restore(s))
	})
	w.save(w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 1, true, false), w.newQuizAttempt(other, l.quizActivity, l.quiz, 1, true, false))
	week := analytics.Week{Start: since, Active: 2, Enrollments: 2, Completions: 3}
	counts := analytics.CourseStatistics{Course: l.course.ID, Name: l.course.Name, Learners: [4]int64{1, 0, 1, 0}}
	question := func(i int, correct int64) analytics.Difficulty {
		q := l.quiz.Questions[i]
		return analytics.Difficulty{Question: q.ID, Text: q.Text, Quiz: l.quiz.ID, QuizName: l.quiz.Name, Answers: 2, Correct: correct}
	}
	is.Equal(diff(of(all), analytics.Statistics{
		Weeks: []analytics.Week{week}, Courses: []analytics.CourseStatistics{counts, {Course: small.ID, Name: small.Name}},
		Questions: []analytics.Difficulty{question(1, 0), question(0, 2)},
	}), "")

	narrow := all
	narrow.Courses = []course.ID{small.ID}
	is.Equal(diff(of(narrow), analytics.Statistics{
		Courses: []analytics.CourseStatistics{{Course: small.ID, Name: small.Name}}, Questions: []analytics.Difficulty{},
	}), "")
	narrow.Courses = []course.ID{l.course.ID}
	is.Equal(diff(of(narrow), analytics.Statistics{
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
	since = w.clock.Now().Add(time.Hour) // everything is older
	is.Equal(len(of(all).Weeks), 0)
	is.Equal(len(of(all).Questions), 0)
	is.Equal(len(of(all).Courses), 2) // the progress is the current one
	since = monday

	// A week ends with Sunday.
	sunday := monday.AddDate(0, 0, 7).Add(-time.Millisecond)
	w.complete(other.ID, l.video.ID, sunday)
	w.complete(l.attempt.ID, l.quizActivity.ID, sunday.Add(time.Millisecond))
	week.Completions++
	is.Equal(diff(of(all).Weeks, []analytics.Week{week, {Start: monday.AddDate(0, 0, 7), Active: 1, Completions: 1}}), "")

	// A course that is being removed is not counted.
	w.do(func(ctx context.Context, tx ports.Tx) error {
		return tx.Courses.BeginRemoval(ctx, l.course.ID, w.nextTime())
	})
	for _, scope := range []analytics.StatisticsScope{all, {Courses: []course.ID{l.course.ID, small.ID}, Limit: 10, MinAnswer: 1}} {
		is.Equal(diff(of(scope), analytics.Statistics{
			Courses: []analytics.CourseStatistics{{Course: small.ID, Name: small.Name}}, Questions: []analytics.Difficulty{},
		}), "")
	}
}

// statisticsMethods contains the method of ports.Statistics.
var statisticsMethods = []portMethod{
	{port: "Statistics", method: "Of", outside: true, foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		found, err := r.Statistics.Of(ctx, analytics.StatisticsScope{Courses: []course.ID{theirs.course.ID}, Limit: 10})
		return len(found.Weeks) + len(found.Courses) + len(found.Questions), err
	}},
}
