package storetest

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/ports"
)

// latest returns the person's latest attempt at a course, with the locks that a use case takes.
func (s tenant) latest(p person.ID, c course.ID) (attempt.State, error) {
	return inTx(s, func(ctx context.Context, tx ports.Tx) (attempt.State, error) {
		if _, err := lockEnrollment(ctx, tx, p, c, enrollment.Learner); err != nil {
			return attempt.State{}, err
		}
		a, err := latestAttempt(ctx, tx, p, c)
		return a.State(), err
	})
}

// tallyOf returns the tally of an attempt.
func (s tenant) tallyOf(id attempt.ID) attempt.Tally {
	s.t.Helper()
	got, err := inTx(s, func(ctx context.Context, tx ports.Tx) (attempt.Tally, error) { return tallyOf(ctx, tx, id) })
	s.must(err)
	return got
}

// trySaveAttempt saves a course attempt in a transaction of its own.
func (s tenant) trySaveAttempt(a attempt.State) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.Attempts.Save(ctx, attempt.Restore(a)) })
}

// tallyOf returns the tally of one attempt.
func tallyOf(ctx context.Context, tx ports.Tx, id attempt.ID) (attempt.Tally, error) {
	found, err := tx.Attempts.Tallies(ctx, []attempt.ID{id})
	return found[id], err
}

// complete adds a completion and reports whether it was new.
func (s tenant) complete(in attempt.ID, a activity.ID, at time.Time) bool {
	s.t.Helper()
	kept, err := inTx(s, func(ctx context.Context, tx ports.Tx) (bool, error) {
		return addCompletion(ctx, tx, attempt.Completion{Attempt: in, Activity: a, At: at})
	})
	s.must(err)
	return kept
}

// attempts tests ports.AttemptRepo.
func attempts(t *testing.T, b Backend) {
	t.Run("LatestMany returns the attempt with the highest number, if there is one", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		got, err := w.latest(l.learner.ID, l.course.ID)
		is.NoErr(err)
		is.Equal(diff(got, l.attempt), "")
		tenth, ninth := w.newAttempt(l.learner.ID, l.course.ID, 10), w.newAttempt(l.learner.ID, l.course.ID, 9)
		elsewhere, theirs := w.newAttempt(l.learner.ID, w.addCourse("Singing").ID, 11), l.addLearner(w.tenant, "grace@example.test")
		w.save(tenth, ninth, elsewhere, w.newAttempt(theirs.Person, l.course.ID, 12))
		got, err = w.latest(l.learner.ID, l.course.ID)
		is.NoErr(err)
		is.Equal(diff(got, tenth), "") // not the last added attempt, nor one of another course or person

		p, c := w.addPerson("alan@example.test").ID, w.addCourse("Dancing").ID
		w.enroll(p, c, enrollment.Learner)
		_, err = w.latest(p, c)
		is.True(isNotFound(err))
	})

	t.Run("Add inserts the attempt, whether or not the person is enrolled", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p, c, at := w.addPerson("ada@example.test").ID, w.addCourse("Drawing").ID, w.nextTime()
		a := w.newAttempt(p, c, 1)
		a.Progress, a.LastCompletedAt = 3333, &at
		is.NoErr(w.trySave(a))
		w.enroll(p, c, enrollment.Learner)
		got, err := w.latest(p, c)
		is.NoErr(err)
		is.Equal(diff(got, a), "")
	})

	t.Run("Add returns an error for an unknown person or course and for a number that is taken", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		w.mustReject(w.newAttempt(w.newPerson("none@example.test").ID, l.course.ID, 1))
		w.mustReject(w.newAttempt(l.learner.ID, w.newCourse("None").ID, 1))
		w.mustReject(w.newAttempt(l.learner.ID, l.course.ID, 1))
		is.NoErr(w.trySave(w.newAttempt(l.learner.ID, l.course.ID, 2)))
		is.NoErr(w.trySave(w.newAttempt(l.learner.ID, w.addCourse("Singing").ID, 1)))
	})

	t.Run("Save updates the attempt, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		other := l.addLearner(w.tenant, "grace@example.test")
		a, at := l.attempt, w.nextTime()
		a.Progress, a.LastCompletedAt = 10000, &at
		is.NoErr(w.trySaveAttempt(a))
		got, err := w.latest(a.Person, a.Course)
		is.NoErr(err)
		is.Equal(diff(got, a), "")
		got, err = w.latest(other.Person, a.Course)
		is.NoErr(err)
		is.Equal(diff(got, other), "")
		a.Progress, a.LastCompletedAt = 0, nil
		is.NoErr(w.trySaveAttempt(a))
		got, err = w.latest(a.Person, a.Course)
		is.NoErr(err)
		is.Equal(diff(got, a), "")
		before := w.all()
		is.True(isNotFound(w.trySaveAttempt(w.newAttempt(a.Person, a.Course, 2))))
		is.Equal(diff(w.all(), before), "")
	})

	t.Run("AddCompletionsIfAbsent inserts a new completion and reports whether it was new", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		again := w.addAttempt(l.learner.ID, l.course.ID, 2)
		first, later := w.nextTime(), w.nextTime()
		is.True(w.complete(l.attempt.ID, l.text.ID, first))
		is.True(!w.complete(l.attempt.ID, l.text.ID, later))
		is.Equal(diff(w.tallyOf(l.attempt.ID), attempt.Tally{Completed: 1, Activities: 4, LastCompletedAt: &first}), "") // the first completion remains
		is.True(w.complete(again.ID, l.text.ID, later))                                                                  // the same activity in another attempt
		is.True(w.complete(l.attempt.ID, l.video.ID, later))
	})

	t.Run("AddCompletionsIfAbsent returns an error for an unknown attempt or activity", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		w.mustReject(attempt.Completion{Attempt: w.newAttempt(l.learner.ID, l.course.ID, 2).ID, Activity: l.text.ID, At: w.nextTime()})
		w.mustReject(attempt.Completion{
			Attempt: l.attempt.ID, Activity: w.newActivity(l.course.ID, "None", activity.TextContent()).ID, At: w.nextTime(),
		})
		is.Equal(w.tallyOf(l.attempt.ID).Completed, 0)
	})

	t.Run("Tallies returns for each attempt the tally of completions of the course's activities", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		other, elsewhere := l.addLearner(w.tenant, "grace@example.test"), newCourseFixture(w.tenant, "two")
		is.Equal(diff(w.tallyOf(l.attempt.ID), attempt.Tally{Activities: 4}), "")
		early, late, after := w.nextTime(), w.nextTime(), w.nextTime()
		w.complete(l.attempt.ID, l.video.ID, late)
		w.complete(l.attempt.ID, l.text.ID, early)
		w.complete(l.attempt.ID, elsewhere.text.ID, after) // an activity of another course
		w.complete(other.ID, l.assignmentActivity.ID, after)
		is.Equal(diff(w.tallyOf(l.attempt.ID), attempt.Tally{Completed: 2, Activities: 4, LastCompletedAt: &late}), "")
		is.Equal(diff(w.tallyOf(elsewhere.attempt.ID), attempt.Tally{Activities: 4}), "")
		empty := w.addAttempt(l.learner.ID, w.addCourse("Empty").ID, 1)
		is.Equal(diff(w.tallyOf(empty.ID), attempt.Tally{}), "")
	})

	t.Run("Tallies omits unknown attempts", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l, other := newCourseFixture(w.tenant, "one"), newCourseFixture(w.tenant, "two")
		at := w.nextTime()
		w.complete(other.attempt.ID, other.text.ID, at)
		got, err := inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (map[attempt.ID]attempt.Tally, error) {
			none := w.newAttempt(l.learner.ID, l.course.ID, 2).ID
			return tx.Attempts.Tallies(ctx, []attempt.ID{none, other.attempt.ID, l.attempt.ID, other.attempt.ID})
		})
		is.NoErr(err)
		is.Equal(diff(got, map[attempt.ID]attempt.Tally{
			l.attempt.ID: {Activities: 4}, other.attempt.ID: {Completed: 1, Activities: 4, LastCompletedAt: &at},
		}), "")
	})

	t.Run("AbsentCompletions returns the completions of activities that are not completed in the attempt, in order", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		other, at := l.addLearner(w.tenant, "grace@example.test"), w.nextTime()
		w.complete(l.attempt.ID, l.text.ID, w.nextTime())
		w.complete(other.ID, l.video.ID, w.nextTime())
		absent := func(all ...attempt.Completion) []attempt.Completion {
			got, err := inTx(w.tenant, func(ctx context.Context, tx ports.Tx) ([]attempt.Completion, error) {
				return tx.Attempts.AbsentCompletions(ctx, all)
			})
			is.NoErr(err)
			return got
		}
		done := attempt.Completion{Attempt: l.attempt.ID, Activity: l.text.ID, At: at}
		one, two := attempt.Completion{Attempt: other.ID, Activity: l.text.ID, At: at}, attempt.Completion{Attempt: l.attempt.ID, Activity: l.video.ID, At: at}
		is.Equal(absent(one, done, two), []attempt.Completion{one, two})
		is.Equal(absent(two, one, done), []attempt.Completion{two, one})
		is.Equal(len(absent(done)), 0)
		is.Equal(len(absent()), 0)
	})

	t.Run("AddCompletionsIfAbsent returns the inserted completions", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		other, first, later := l.addLearner(w.tenant, "grace@example.test"), w.nextTime(), w.nextTime()
		w.complete(l.attempt.ID, l.text.ID, first)
		complete := func(all ...attempt.Completion) ([]attempt.Completion, error) {
			return inTx(w.tenant, func(ctx context.Context, tx ports.Tx) ([]attempt.Completion, error) {
				kept, err := tx.Attempts.AddCompletionsIfAbsent(ctx, all)
				slices.SortFunc(kept, func(a, b attempt.Completion) int { return a.At.Compare(b.At) })
				return kept, err
			})
		}
		again := attempt.Completion{Attempt: l.attempt.ID, Activity: l.text.ID, At: later}
		one, two := attempt.Completion{Attempt: l.attempt.ID, Activity: l.video.ID, At: w.nextTime()},
			attempt.Completion{Attempt: other.ID, Activity: l.text.ID, At: w.nextTime()}
		kept, err := complete(again, two, one)
		is.NoErr(err)
		is.Equal(diff(kept, []attempt.Completion{one, two}), "")
		for _, all := range [][]attempt.Completion{{again}, {again, one, two}} {
			kept, err = complete(all...)
			is.NoErr(err)
			is.Equal(len(kept), 0)
		}
		is.Equal(diff(w.tallyOf(l.attempt.ID), attempt.Tally{Completed: 2, Activities: 4, LastCompletedAt: &one.At}), "")
		_, err = complete(
			attempt.Completion{Attempt: other.ID, Activity: l.video.ID, At: later},
			attempt.Completion{Attempt: w.newAttempt(l.learner.ID, l.course.ID, 2).ID, Activity: l.text.ID, At: later})
		is.True(err != nil)
		is.Equal(w.tallyOf(other.ID).Completed, 1)
	})

	t.Run("SaveMany updates all attempts, or none and returns NotFound", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l, at := newCourseFixture(w.tenant, "one"), w.nextTime()
		one, two, third := l.attempt, l.addLearner(w.tenant, "grace@example.test"), l.addLearner(w.tenant, "alan@example.test")
		save := func(all ...attempt.State) error {
			return w.try(func(ctx context.Context, tx ports.Tx) error {
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
			got, err := w.latest(want.Person, want.Course)
			is.NoErr(err)
			is.Equal(diff(got, want), "")
		}
		before := w.all()
		one.Progress, one.LastCompletedAt = 0, nil
		is.True(isNotFound(save(one, w.newAttempt(l.learner.ID, l.course.ID, 2))))
		is.Equal(diff(w.all(), before), "")
	})

	t.Run("DeleteByPerson deletes all attempts of the person and their completions", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		other := l.addLearner(w.tenant, "grace@example.test")
		w.addAttempt(l.learner.ID, w.addCourse("Singing").ID, 1)
		w.addAttempt(l.learner.ID, l.course.ID, 2)
		w.complete(l.attempt.ID, l.text.ID, w.nextTime())
		w.complete(other.ID, l.text.ID, w.nextTime())
		for range 2 { // deleting again changes nothing
			w.do(func(ctx context.Context, tx ports.Tx) error {
				return second(tx.Attempts.DeleteByPerson(ctx, l.learner.ID, math.MaxInt32))
			})
			_, err := w.latest(l.learner.ID, l.course.ID)
			is.True(isNotFound(err))
		}
		is.Equal(w.tallyOf(other.ID).Completed, 1)
		w.save(l.attempt) // a deleted attempt can be added again
		is.Equal(w.tallyOf(l.attempt.ID).Completed, 0)
	})

	t.Run("DeleteByPerson returns an error while quiz attempts or submissions of the person exist", func(t *testing.T) {
		w := newWorld(t, b)
		quizzed, submitted := newCourseFixture(w.tenant, "one"), newCourseFixture(w.tenant, "two")
		w.save(
			w.newQuizAttempt(quizzed.attempt, quizzed.quizActivity, quizzed.quiz, 1, true), w.newSubmission(submitted.attempt, submitted.assignmentActivity),
		)
		for _, l := range []courseFixture{quizzed, submitted} {
			is := is.New(t)
			before := w.all()
			is.True(w.try(func(ctx context.Context, tx ports.Tx) error {
				return second(tx.Attempts.DeleteByPerson(ctx, l.learner.ID, math.MaxInt32))
			}) != nil)
			is.Equal(diff(w.all(), before), "")
			is.NoErr(w.deletePerson(l.learner.ID))
		}
	})
}
