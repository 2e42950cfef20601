package learning

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/enrollment"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// Attempts tests ports.AttemptRepo.
func Attempts(t *testing.T, b fixture.Backend) {
	t.Run("LatestMany returns the attempt with the highest number, if there is one", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		got, err := w.Latest(l.Learner.ID, l.Course.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, l.Attempt), "")
		tenth, ninth := w.NewAttempt(l.Learner.ID, l.Course.ID, 10), w.NewAttempt(l.Learner.ID, l.Course.ID, 9)
		elsewhere, theirs := w.NewAttempt(l.Learner.ID, w.AddCourse("Singing").ID, 11), l.AddLearner(w.Tenant, "grace@example.test")
		w.Save(tenth, ninth, elsewhere, w.NewAttempt(theirs.Person, l.Course.ID, 12))
		got, err = w.Latest(l.Learner.ID, l.Course.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, tenth), "") // not the last added attempt, nor one of another course or person

		p, c := w.AddPerson("alan@example.test").ID, w.AddCourse("Dancing").ID
		w.Enroll(p, c, enrollment.Learner)
		_, err = w.Latest(p, c)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("Add inserts the attempt, whether or not the person is enrolled", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p, c, at := w.AddPerson("ada@example.test").ID, w.AddCourse("Drawing").ID, w.NextTime()
		a := w.NewAttempt(p, c, 1)
		a.Progress, a.LastCompletedAt = 3333, &at
		is.NoErr(w.TrySave(a))
		w.Enroll(p, c, enrollment.Learner)
		got, err := w.Latest(p, c)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, a), "")
	})

	t.Run("Add returns an error for an unknown person or course and for a number that is taken", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		w.MustReject(w.NewAttempt(w.NewPerson("none@example.test").ID, l.Course.ID, 1))
		w.MustReject(w.NewAttempt(l.Learner.ID, w.NewCourse("None").ID, 1))
		w.MustReject(w.NewAttempt(l.Learner.ID, l.Course.ID, 1))
		is.NoErr(w.TrySave(w.NewAttempt(l.Learner.ID, l.Course.ID, 2)))
		is.NoErr(w.TrySave(w.NewAttempt(l.Learner.ID, w.AddCourse("Singing").ID, 1)))
	})

	t.Run("Save updates the attempt, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		other := l.AddLearner(w.Tenant, "grace@example.test")
		a, at := l.Attempt, w.NextTime()
		a.Progress, a.LastCompletedAt = 10000, &at
		is.NoErr(w.TrySaveAttempt(a))
		got, err := w.Latest(a.Person, a.Course)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, a), "")
		got, err = w.Latest(other.Person, a.Course)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, other), "")
		a.Progress, a.LastCompletedAt = 0, nil
		is.NoErr(w.TrySaveAttempt(a))
		got, err = w.Latest(a.Person, a.Course)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, a), "")
		before := w.All()
		is.True(fixture.IsNotFound(w.TrySaveAttempt(w.NewAttempt(a.Person, a.Course, 2))))
		is.Equal(fixture.Diff(w.All(), before), "")
	})

	t.Run("AddCompletionsIfAbsent inserts a new completion and reports whether it was new", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		again := w.AddAttempt(l.Learner.ID, l.Course.ID, 2)
		first, later := w.NextTime(), w.NextTime()
		is.True(w.Complete(l.Attempt.ID, l.Text.ID, first))
		is.True(!w.Complete(l.Attempt.ID, l.Text.ID, later))
		is.Equal(fixture.Diff(w.TallyOf(l.Attempt.ID), attempt.Tally{Completed: 1, Activities: 4, LastCompletedAt: &first}), "") // the first completion remains
		is.True(w.Complete(again.ID, l.Text.ID, later))                                                                          // the same activity in another attempt
		is.True(w.Complete(l.Attempt.ID, l.Video.ID, later))
	})

	t.Run("AddCompletionsIfAbsent returns an error for an unknown attempt or activity", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		w.MustReject(attempt.Completion{Attempt: w.NewAttempt(l.Learner.ID, l.Course.ID, 2).ID, Activity: l.Text.ID, At: w.NextTime()})
		w.MustReject(attempt.Completion{
			Attempt: l.Attempt.ID, Activity: w.NewActivity(l.Course.ID, "None", activity.TextContent()).ID, At: w.NextTime(),
		})
		is.Equal(w.TallyOf(l.Attempt.ID).Completed, 0)
	})

	t.Run("Tallies returns for each attempt the tally of completions of the course's activities", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		other, elsewhere := l.AddLearner(w.Tenant, "grace@example.test"), fixture.NewCourseFixture(w.Tenant, "two")
		is.Equal(fixture.Diff(w.TallyOf(l.Attempt.ID), attempt.Tally{Activities: 4}), "")
		early, late, after := w.NextTime(), w.NextTime(), w.NextTime()
		w.Complete(l.Attempt.ID, l.Video.ID, late)
		w.Complete(l.Attempt.ID, l.Text.ID, early)
		w.Complete(l.Attempt.ID, elsewhere.Text.ID, after) // an activity of another course
		w.Complete(other.ID, l.AssignmentActivity.ID, after)
		is.Equal(fixture.Diff(w.TallyOf(l.Attempt.ID), attempt.Tally{Completed: 2, Activities: 4, LastCompletedAt: &late}), "")
		is.Equal(fixture.Diff(w.TallyOf(elsewhere.Attempt.ID), attempt.Tally{Activities: 4}), "")
		empty := w.AddAttempt(l.Learner.ID, w.AddCourse("Empty").ID, 1)
		is.Equal(fixture.Diff(w.TallyOf(empty.ID), attempt.Tally{}), "")
	})

	t.Run("Tallies omits unknown attempts", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l, other := fixture.NewCourseFixture(w.Tenant, "one"), fixture.NewCourseFixture(w.Tenant, "two")
		at := w.NextTime()
		w.Complete(other.Attempt.ID, other.Text.ID, at)
		got, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (map[attempt.ID]attempt.Tally, error) {
			none := w.NewAttempt(l.Learner.ID, l.Course.ID, 2).ID
			return tx.Attempts.Tallies(ctx, []attempt.ID{none, other.Attempt.ID, l.Attempt.ID, other.Attempt.ID})
		})
		is.NoErr(err)
		is.Equal(fixture.Diff(got, map[attempt.ID]attempt.Tally{
			l.Attempt.ID: {Activities: 4}, other.Attempt.ID: {Completed: 1, Activities: 4, LastCompletedAt: &at},
		}), "")
	})

	t.Run("AbsentCompletions returns the completions of activities that are not completed in the attempt, in order", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		other, at := l.AddLearner(w.Tenant, "grace@example.test"), w.NextTime()
		w.Complete(l.Attempt.ID, l.Text.ID, w.NextTime())
		w.Complete(other.ID, l.Video.ID, w.NextTime())
		absent := func(all ...attempt.Completion) []attempt.Completion {
			got, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) ([]attempt.Completion, error) {
				return tx.Attempts.AbsentCompletions(ctx, all)
			})
			is.NoErr(err)
			return got
		}
		done := attempt.Completion{Attempt: l.Attempt.ID, Activity: l.Text.ID, At: at}
		one, two := attempt.Completion{Attempt: other.ID, Activity: l.Text.ID, At: at}, attempt.Completion{Attempt: l.Attempt.ID, Activity: l.Video.ID, At: at}
		is.Equal(absent(one, done, two), []attempt.Completion{one, two})
		is.Equal(absent(two, one, done), []attempt.Completion{two, one})
		is.Equal(len(absent(done)), 0)
		is.Equal(len(absent()), 0)
	})

	t.Run("AddCompletionsIfAbsent returns the inserted completions", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		other, first, later := l.AddLearner(w.Tenant, "grace@example.test"), w.NextTime(), w.NextTime()
		w.Complete(l.Attempt.ID, l.Text.ID, first)
		complete := func(all ...attempt.Completion) ([]attempt.Completion, error) {
			return fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) ([]attempt.Completion, error) {
				kept, err := tx.Attempts.AddCompletionsIfAbsent(ctx, all)
				slices.SortFunc(kept, func(a, b attempt.Completion) int { return a.At.Compare(b.At) })
				return kept, err
			})
		}
		again := attempt.Completion{Attempt: l.Attempt.ID, Activity: l.Text.ID, At: later}
		one, two := attempt.Completion{Attempt: l.Attempt.ID, Activity: l.Video.ID, At: w.NextTime()},
			attempt.Completion{Attempt: other.ID, Activity: l.Text.ID, At: w.NextTime()}
		kept, err := complete(again, two, one)
		is.NoErr(err)
		is.Equal(fixture.Diff(kept, []attempt.Completion{one, two}), "")
		for _, all := range [][]attempt.Completion{{again}, {again, one, two}} {
			kept, err = complete(all...)
			is.NoErr(err)
			is.Equal(len(kept), 0)
		}
		is.Equal(fixture.Diff(w.TallyOf(l.Attempt.ID), attempt.Tally{Completed: 2, Activities: 4, LastCompletedAt: &one.At}), "")
		_, err = complete(
			attempt.Completion{Attempt: other.ID, Activity: l.Video.ID, At: later},
			attempt.Completion{Attempt: w.NewAttempt(l.Learner.ID, l.Course.ID, 2).ID, Activity: l.Text.ID, At: later})
		is.True(err != nil)
		is.Equal(w.TallyOf(other.ID).Completed, 1)
	})

	t.Run("SaveMany updates all attempts, or none and returns NotFound", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l, at := fixture.NewCourseFixture(w.Tenant, "one"), w.NextTime()
		one, two, third := l.Attempt, l.AddLearner(w.Tenant, "grace@example.test"), l.AddLearner(w.Tenant, "alan@example.test")
		save := func(all ...attempt.State) error {
			return w.Try(func(ctx context.Context, tx ports.Tx) error {
				var attempts []attempt.Attempt
				for _, a := range all {
					attempts = append(attempts, attempt.Restore(a))
				}
				return tx.Attempts.SaveMany(ctx, attempts)
			})
		}
		one.Progress, one.LastCompletedAt, two.Progress = 10000, &at, 3333
		is.NoErr(save(two, one))
		for _, want := range []attempt.State{one, two, third} {
			got, err := w.Latest(want.Person, want.Course)
			is.NoErr(err)
			is.Equal(fixture.Diff(got, want), "")
		}
		before := w.All()
		one.Progress, one.LastCompletedAt = 0, nil
		is.True(fixture.IsNotFound(save(one, w.NewAttempt(l.Learner.ID, l.Course.ID, 2))))
		is.Equal(fixture.Diff(w.All(), before), "")
	})

	t.Run("DeleteByPerson deletes all attempts of the person and their completions", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		other := l.AddLearner(w.Tenant, "grace@example.test")
		w.AddAttempt(l.Learner.ID, w.AddCourse("Singing").ID, 1)
		w.AddAttempt(l.Learner.ID, l.Course.ID, 2)
		w.Complete(l.Attempt.ID, l.Text.ID, w.NextTime())
		w.Complete(other.ID, l.Text.ID, w.NextTime())
		for range 2 { // deleting again changes nothing
			w.Do(func(ctx context.Context, tx ports.Tx) error {
				return fixture.Second(tx.Attempts.DeleteByPerson(ctx, l.Learner.ID, math.MaxInt32))
			})
			_, err := w.Latest(l.Learner.ID, l.Course.ID)
			is.True(fixture.IsNotFound(err))
		}
		is.Equal(w.TallyOf(other.ID).Completed, 1)
		w.Save(l.Attempt) // a deleted attempt can be added again
		is.Equal(w.TallyOf(l.Attempt.ID).Completed, 0)
	})

	t.Run("DeleteByPerson returns an error while quiz attempts or submissions of the person exist", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		quizzed, submitted := fixture.NewCourseFixture(w.Tenant, "one"), fixture.NewCourseFixture(w.Tenant, "two")
		w.Save(
			w.NewQuizAttempt(quizzed.Attempt, quizzed.QuizActivity, quizzed.Quiz, 1, true), w.NewSubmission(submitted.Attempt, submitted.AssignmentActivity),
		)
		for _, l := range []fixture.CourseFixture{quizzed, submitted} {
			is := is.New(t)
			before := w.All()
			is.True(w.Try(func(ctx context.Context, tx ports.Tx) error {
				return fixture.Second(tx.Attempts.DeleteByPerson(ctx, l.Learner.ID, math.MaxInt32))
			}) != nil)
			is.Equal(fixture.Diff(w.All(), before), "")
			is.NoErr(w.DeletePerson(l.Learner.ID))
		}
	})
}
