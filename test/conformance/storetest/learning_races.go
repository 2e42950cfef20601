package storetest

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
)

// learningRaces tests that derived data remains correct when many people learn concurrently.
func learningRaces(t *testing.T, b Backend) {
	t.Run("Concurrent first actions of a person in a course start one attempt", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		p := w.addPerson("ada@example.test").ID
		w.enroll(p, l.course.ID, enrollment.Learner)
		all := []activity.State{l.text, l.video, l.quizActivity, l.assignmentActivity}
		for _, err := range atOnce(func(i int) error {
			return w.try(func(ctx context.Context, tx ports.Tx) error {
				if i%5 == 4 {
					return l.answerQuestion(ctx, tx, w.tenant, p, 1+i%3, true)
				}
				return w.completeActivity(ctx, tx, p, all[i%5])
			})
		}) {
			is.NoErr(err)
		}
		rows := w.rowsOfPerson(p)
		is.Equal(len(rows), 1)
		is.Equal(rows[0].Progress, decimal.OneHundred)
		is.Equal(len(w.all().QuizScores), 1)
		is.Equal(len(w.mustReconcile()), 0)
	})

	t.Run("No concurrent answer of a person is lost", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		l.quiz = w.addQuiz("Long", goroutines)
		l.quizActivity = w.addActivity(l.course.ID, "Long", activity.QuizContent(l.quiz.ID))
		for _, err := range atOnce(func(i int) error {
			return w.try(func(ctx context.Context, tx ports.Tx) error {
				return l.answerQuestion(ctx, tx, w.tenant, l.learner.ID, i+1, i%2 == 0)
			})
		}) {
			is.NoErr(err)
		}
		scores := w.all().QuizScores
		is.Equal(len(scores), 1)
		is.Equal(scores[0].Score.AnsweredOfTotal(), fmt.Sprintf("%d/%d", goroutines, goroutines))
		is.Equal(scores[0].Score.Correct, goroutines/2)
		is.Equal(len(w.all().RawAnswers), goroutines)
		is.Equal(len(w.mustReconcile()), 0)
	})

	t.Run("All concurrent answers in a quiz are graded", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		var people [goroutines]person.ID
		for i := range people {
			people[i] = l.addLearner(w.tenant, fmt.Sprintf("p%d@example.test", i)).Person
		}
		for _, err := range atOnce(func(i int) error {
			for number := range 3 {
				err := w.try(func(ctx context.Context, tx ports.Tx) error {
					return l.answerQuestion(ctx, tx, w.tenant, people[i], number+1, number == i%3)
				})
				if err != nil {
					return err
				}
			}
			return nil
		}) {
			is.NoErr(err)
		}
		scores := w.all().QuizScores
		is.Equal(len(scores), goroutines)
		for _, row := range scores {
			is.Equal(row.Score.AnsweredOfTotal(), "3/3")
			is.Equal(row.Score.Correct, 1)
		}
	})

	t.Run("Derived data is correct while people learn and are enrolled and unenrolled concurrently", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		var people []person.ID
		for i := range 5 {
			people = append(people, l.addLearner(w.tenant, fmt.Sprintf("p%d@example.test", i)).Person)
		}
		leaving := l.addLearner(w.tenant, "leaver@example.test").Person
		discrepancies := make(chan []reconcile.Discrepancy, goroutines)
		for _, err := range atOnce(func(i int) error {
			switch i {
			case 0, 1: // concurrently with an operator who reconciles
				wrong, err := w.reconcile()
				discrepancies <- wrong
				return err
			case 2:
				return w.enrollAndLearn(l, leaving)
			}
			return l.learnRandomly(w.tenant, rand.New(rand.NewPCG(uint64(i), 9)), people, 6)
		}) {
			is.NoErr(err)
		}
		close(discrepancies)
		for wrong := range discrepancies {
			is.Equal(wrong, nil)
		}
		is.Equal(w.mustReconcile(), nil)
	})

	t.Run("A person is deleted while learning", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		p := l.learner.ID
		errs := atOnce(func(i int) error {
			if i == goroutines/2 {
				return w.deletePerson(p)
			}
			return w.try(func(ctx context.Context, tx ports.Tx) error {
				switch i % 4 {
				case 0:
					return w.completeActivity(ctx, tx, p, l.text)
				case 1:
					return l.answerQuestion(ctx, tx, w.tenant, p, 1, true)
				case 2:
					in, err := w.currentAttempt(ctx, tx, p, l.course.ID)
					if err != nil {
						return err
					}
					return tx.Submissions.Add(ctx, w.newSubmission(in.State(), l.assignmentActivity))
				}
				if _, err := w.currentAttempt(ctx, tx, p, l.course.ID); err != nil {
					return err
				}
				return second(tx.Events.Append(ctx, []event.Event{event.NewView(p, l.text.ID)}, w.nextTime()))
			})
		})
		is.NoErr(errs[goroutines/2])
		for _, err := range errs {
			is.True(err == nil || isNotFound(err)) // the person was already deleted
		}
		all := w.all()
		is.Equal(len(all.People)+len(all.Enrollments)+len(all.Submissions)+len(all.Events), 0)
		is.Equal(len(all.CourseAnalytics)+len(all.QuizScores)+len(all.RawAnswers), 0)
		w.save(l.learner, l.attempt) // all records were deleted, so they can be added again
		is.Equal(w.tallyOf(l.attempt.ID).Completed, 0)
	})

	t.Run("One of many concurrent completions of an activity in an attempt is inserted", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		var kept tally
		for _, err := range atOnce(func(int) error {
			ok, err := inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (bool, error) {
				return addCompletion(ctx, tx, attempt.Completion{Attempt: l.attempt.ID, Activity: l.text.ID, At: w.nextTime()})
			})
			kept.add(ordinal(ok))
			return err
		}) {
			is.NoErr(err)
		}
		is.Equal(kept.n, 1)
	})
}

// enrollAndLearn repeats two transactions: one completes an activity of an enrolled person and
// unenrolls the person, the next enrolls the person again.
func (s tenant) enrollAndLearn(l courseFixture, p person.ID) error {
	for range 5 {
		err := s.try(func(ctx context.Context, tx ports.Tx) error {
			if err := s.completeActivity(ctx, tx, p, l.text); err != nil {
				return err
			}
			return second(tx.Enrollments.RemoveFromCourses(ctx, p, enrollment.Learner, []course.ID{l.course.ID}))
		})
		if err == nil {
			err = s.trySave(s.newEnrollment(p, l.course.ID, enrollment.Learner))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// rowsOfPerson returns the person's course analytics.
func (s tenant) rowsOfPerson(p person.ID) []analytics.CourseProgress {
	s.t.Helper()
	var rows []analytics.CourseProgress
	for _, row := range s.all().CourseAnalytics {
		if row.Person == p {
			rows = append(rows, row)
		}
	}
	return rows
}
