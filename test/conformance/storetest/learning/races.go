package learning

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/person"
	"lyceum/domain/reconcile"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// Races tests that derived data remains correct when many people learn concurrently.
func Races(t *testing.T, b fixture.Backend) {
	t.Run("Concurrent first actions of a person in a course start one attempt", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		p := w.AddPerson("ada@example.test").ID
		w.Enroll(p, l.Course.ID, enrollment.Learner)
		all := []activity.State{l.Text, l.Video, l.QuizActivity, l.AssignmentActivity}
		for _, err := range fixture.AtOnce(func(i int) error {
			return w.Try(func(ctx context.Context, tx ports.Tx) error {
				if i%5 == 4 {
					return l.AnswerQuestion(ctx, tx, w.Tenant, p, 1+i%3, true)
				}
				return w.CompleteActivity(ctx, tx, p, all[i%5])
			})
		}) {
			is.NoErr(err)
		}
		rows := rowsOfPerson(w.Tenant, p)
		is.Equal(len(rows), 1)
		is.Equal(rows[0].Progress, decimal.OneHundred)
		is.Equal(len(w.All().QuizScores), 1)
		is.Equal(len(w.MustReconcile()), 0)
	})

	t.Run("No concurrent answer of a person is lost", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		l.Quiz = w.AddQuiz("Long", fixture.Goroutines)
		l.QuizActivity = w.AddActivity(l.Course.ID, "Long", activity.QuizContent(l.Quiz.ID))
		for _, err := range fixture.AtOnce(func(i int) error {
			return w.Try(func(ctx context.Context, tx ports.Tx) error {
				return l.AnswerQuestion(ctx, tx, w.Tenant, l.Learner.ID, i+1, i%2 == 0)
			})
		}) {
			is.NoErr(err)
		}
		scores := w.All().QuizScores
		is.Equal(len(scores), 1)
		is.Equal(scores[0].Score.AnsweredOfTotal(), fmt.Sprintf("%d/%d", fixture.Goroutines, fixture.Goroutines))
		is.Equal(scores[0].Score.Correct, fixture.Goroutines/2)
		is.Equal(len(w.All().RawAnswers), fixture.Goroutines)
		is.Equal(len(w.MustReconcile()), 0)
	})

	t.Run("All concurrent answers in a quiz are graded", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		var people [fixture.Goroutines]person.ID
		for i := range people {
			people[i] = l.AddLearner(w.Tenant, fmt.Sprintf("p%d@example.test", i)).Person
		}
		for _, err := range fixture.AtOnce(func(i int) error {
			for number := range 3 {
				err := w.Try(func(ctx context.Context, tx ports.Tx) error {
					return l.AnswerQuestion(ctx, tx, w.Tenant, people[i], number+1, number == i%3)
				})
				if err != nil {
					return err
				}
			}
			return nil
		}) {
			is.NoErr(err)
		}
		scores := w.All().QuizScores
		is.Equal(len(scores), fixture.Goroutines)
		for _, row := range scores {
			is.Equal(row.Score.AnsweredOfTotal(), "3/3")
			is.Equal(row.Score.Correct, 1)
		}
	})

	t.Run("Derived data is correct while people learn and are enrolled and unenrolled concurrently", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		var people []person.ID
		for i := range 5 {
			people = append(people, l.AddLearner(w.Tenant, fmt.Sprintf("p%d@example.test", i)).Person)
		}
		leaving := l.AddLearner(w.Tenant, "leaver@example.test").Person
		discrepancies := make(chan []reconcile.Discrepancy, fixture.Goroutines)
		for _, err := range fixture.AtOnce(func(i int) error {
			switch i {
			case 0, 1: // concurrently with an operator who reconciles
				wrong, err := w.Reconcile()
				discrepancies <- wrong
				return err
			case 2:
				return enrollAndLearn(w.Tenant, l, leaving)
			}
			return l.LearnRandomly(w.Tenant, rand.New(rand.NewPCG(uint64(i), 9)), people, 6)
		}) {
			is.NoErr(err)
		}
		close(discrepancies)
		for wrong := range discrepancies {
			is.Equal(wrong, nil)
		}
		is.Equal(w.MustReconcile(), nil)
	})

	t.Run("A person is deleted while learning", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		p := l.Learner.ID
		errs := fixture.AtOnce(func(i int) error {
			if i == fixture.Goroutines/2 {
				return w.DeletePerson(p)
			}
			return w.Try(func(ctx context.Context, tx ports.Tx) error {
				switch i % 4 {
				case 0:
					return w.CompleteActivity(ctx, tx, p, l.Text)
				case 1:
					return l.AnswerQuestion(ctx, tx, w.Tenant, p, 1, true)
				case 2:
					in, err := w.CurrentAttempt(ctx, tx, p, l.Course.ID)
					if err != nil {
						return err
					}
					return tx.Submissions.Add(ctx, w.NewSubmission(in.State(), l.AssignmentActivity))
				}
				if _, err := w.CurrentAttempt(ctx, tx, p, l.Course.ID); err != nil {
					return err
				}
				return fixture.Second(tx.Events.Append(ctx, []event.Event{event.NewView(p, l.Text.ID)}, w.NextTime()))
			})
		})
		is.NoErr(errs[fixture.Goroutines/2])
		for _, err := range errs {
			is.True(err == nil || fixture.IsNotFound(err)) // the person was already deleted
		}
		all := w.All()
		is.Equal(len(all.People)+len(all.Enrollments)+len(all.Submissions)+len(all.Events), 0)
		is.Equal(len(all.CourseAnalytics)+len(all.QuizScores)+len(all.RawAnswers), 0)
		w.Save(l.Learner, l.Attempt) // all records were deleted, so they can be added again
		is.Equal(w.TallyOf(l.Attempt.ID).Completed, 0)
	})

	t.Run("One of many concurrent completions of an activity in an attempt is inserted", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		var kept fixture.Counter
		for _, err := range fixture.AtOnce(func(int) error {
			ok, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (bool, error) {
				return fixture.AddCompletion(ctx, tx, attempt.Completion{Attempt: l.Attempt.ID, Activity: l.Text.ID, At: w.NextTime()})
			})
			kept.Add(fixture.Ordinal(ok))
			return err
		}) {
			is.NoErr(err)
		}
		is.Equal(kept.Count, 1)
	})
}

// enrollAndLearn repeats two transactions: one completes an activity of an enrolled person and
// unenrolls the person, the next enrolls the person again.
func enrollAndLearn(s fixture.Tenant, l fixture.CourseFixture, p person.ID) error {
	for range 5 {
		err := s.Try(func(ctx context.Context, tx ports.Tx) error {
			if err := s.CompleteActivity(ctx, tx, p, l.Text); err != nil {
				return err
			}
			return fixture.Second(tx.Enrollments.RemoveFromCourses(ctx, p, enrollment.Learner, []course.ID{l.Course.ID}))
		})
		if err == nil {
			err = s.TrySave(s.NewEnrollment(p, l.Course.ID, enrollment.Learner))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// rowsOfPerson returns the person's course analytics.
func rowsOfPerson(s fixture.Tenant, p person.ID) []analytics.CourseProgress {
	s.T.Helper()
	var rows []analytics.CourseProgress
	for _, row := range s.All().CourseAnalytics {
		if row.Person == p {
			rows = append(rows, row)
		}
	}
	return rows
}
