package counts

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/attempt"
	"lyceum/domain/decimal"
	"lyceum/domain/enrollment"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/reconcile"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// Reconciler tests ports.Reconciler on correct data.
func Reconciler(t *testing.T, b fixture.Backend) {
	t.Run("AttemptsForUpdate returns up to limit course attempts after the given id, by id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		want := []attempt.State{l.Attempt}
		for i := range 4 {
			want = append(want, l.AddLearner(w.Tenant, fmt.Sprintf("p%d@example.test", i)))
		}
		at := w.NextTime()
		w.Complete(want[1].ID, l.Text.ID, at)
		read := func(after attempt.ID, n int) []reconcile.AttemptCheck {
			found, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) ([]reconcile.AttemptCheck, error) {
				return tx.Reconciler.AttemptsForUpdate(ctx, after, n)
			})
			is.NoErr(err)
			return found
		}
		for _, tt := range []struct{ after, n, from, to int }{
			{-1, 10, 0, 5}, {-1, 5, 0, 5}, {-1, 2, 0, 2}, {1, 2, 2, 4}, {3, 2, 4, 5}, {4, 2, 5, 5}, {-1, 1, 0, 1},
		} {
			var after attempt.ID
			if tt.after >= 0 {
				after = want[tt.after].ID
			}
			found := read(after, tt.n)
			is.Equal(len(found), tt.to-tt.from)
			for i, a := range found {
				is.Equal(fixture.Diff(a.Attempt.State(), want[tt.from+i]), "")
				tally := attempt.Tally{Activities: 4}
				if tt.from+i == 1 {
					tally.Completed, tally.LastCompletedAt = 1, &at
				}
				is.Equal(fixture.Diff(a.Tally, tally), "")
			}
		}
		stranger := want[2].ID
		stranger.UUID[15]++ // may equal the id of the next attempt
		is.Equal(len(read(attempt.ID{UUID: uuid.Max}, 2)), 0)
		is.True(len(read(stranger, 10)) < 3)
	})

	t.Run("QuizAttemptsForUpdate returns up to limit quiz attempts after the given id, by id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		var want []quizattempt.State
		for i := range 5 {
			in := l.AddLearner(w.Tenant, fmt.Sprintf("p%d@example.test", i))
			r := w.NewQuizAttempt(in, l.QuizActivity, l.Quiz, 1, true, i%2 == 0)
			want = append(want, r)
			w.Save(r)
		}
		for _, tt := range []struct{ after, n, from, to int }{
			{-1, 10, 0, 5}, {-1, 2, 0, 2}, {1, 2, 2, 4}, {3, 2, 4, 5}, {4, 2, 5, 5},
		} {
			var after quizattempt.ID
			if tt.after >= 0 {
				after = want[tt.after].ID
			}
			found, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) ([]reconcile.QuizAttemptCheck, error) {
				return tx.Reconciler.QuizAttemptsForUpdate(ctx, after, tt.n)
			})
			is.NoErr(err)
			is.Equal(len(found), tt.to-tt.from)
			for i, a := range found {
				is.Equal(fixture.Diff(a.Attempt.State(), want[tt.from+i]), "") // including its answers
				is.Equal(fixture.Diff(a.ActiveQuestions, quiz.Restore(l.Quiz).ActiveQuestions()), "")
			}
		}
	})

	t.Run("Correct data has no discrepancy and does not change", func(t *testing.T) {
		for seed := range uint64(4) {
			is, w := is.New(t), fixture.NewWorld(t, b)
			addRandomRecords(w.Tenant, seed)
			before := w.All()
			is.Equal(w.MustReconcile(), nil)
			is.Equal(fixture.Diff(w.All(), before), "")
		}
	})
}

// addRandomRecords fills the school with all kinds of records and random learner data.
func addRandomRecords(s fixture.Tenant, seed uint64) {
	s.T.Helper()
	rnd := rand.New(rand.NewPCG(seed, 6))
	fixture.New(s, "settled")
	for _, mark := range []string{"one", "two"} {
		l := fixture.NewCourseFixture(s, mark)
		people := []person.ID{l.Learner.ID}
		for i := range 3 {
			people = append(people, l.AddLearner(s, fmt.Sprintf("%s-%d@example.test", mark, i)).Person)
		}
		s.AddMembership(people[1], s.AddGroup("Group of "+mark, l.Course.ID).ID, membership.Member)
		s.Must(l.LearnRandomly(s, rnd, people, 30))
		s.Unenroll(people[2], enrollment.Learner, l.Course.ID)
		s.Must(s.DeletePerson(people[3]))
	}
	s.MustReconcile() // corrects the wrong progress that the fixture saves
}

func peopleOf(all fixture.Everything) (records []string) {
	for _, p := range all.People {
		records = append(records, "people "+p.ID.String())
	}
	return records
}

func coursesOf(all fixture.Everything) (records []string) {
	for _, c := range all.Courses {
		records = append(records, "courses "+c.ID.String())
	}
	return records
}

func groupsOf(all fixture.Everything) (records []string) {
	for _, g := range all.Groups {
		records = append(records, "groups "+g.ID.String())
	}
	return records
}

// scoresOf returns the keys of scores. It does not use the ids of scores, because a missing score
// has no id.
func scoresOf(all fixture.Everything) (records []string) {
	for _, row := range all.QuizScores {
		records = append(records, "quiz_scores "+row.CourseAttempt.String()+":"+row.Activity.String())
	}
	return records
}

func courseAnalyticsOf(all fixture.Everything) (records []string) {
	for _, row := range all.CourseAnalytics {
		records = append(records, "course_analytics "+row.Key())
	}
	return records
}

// strayRowsOf returns the keys of the rows that Stray adds.
func strayRowsOf(all fixture.Everything) (records []string) {
	for _, row := range all.CourseAnalytics {
		row.Attempt.UUID = row.Course.UUID
		records = append(records, "course_analytics "+row.Key())
	}
	return fixture.Distinct(records)
}

// gapsOf returns the key of the only span of the event feed that contains events.
func gapsOf(fixture.Everything) []string { return []string{"events 1 to 4096"} }

// damages lists the damages of all derived values in the order of reconcile.Derived. want returns
// the records in which RecalculateDerived must find the damage.
var damages = []struct {
	fixture.Damage
	want func(all fixture.Everything) []string
}{
	{fixture.Damage{Value: reconcile.PersonCourses, Defect: fixture.Wrong}, peopleOf},
	{fixture.Damage{Value: reconcile.PersonGroups, Defect: fixture.Wrong}, peopleOf},
	{fixture.Damage{Value: reconcile.PersonPartnerships, Defect: fixture.Wrong}, peopleOf},
	{fixture.Damage{Value: reconcile.CourseEnrollments, Defect: fixture.Wrong}, coursesOf},
	{fixture.Damage{Value: reconcile.GroupMemberships, Defect: fixture.Wrong}, groupsOf},
	{fixture.Damage{Value: reconcile.QuizScores, Defect: fixture.Wrong}, scoresOf},
	{fixture.Damage{Value: reconcile.QuizScores, Defect: fixture.Missing}, scoresOf},
	{fixture.Damage{Value: reconcile.CourseAnalytics, Defect: fixture.Wrong}, courseAnalyticsOf},
	{fixture.Damage{Value: reconcile.CourseAnalytics, Defect: fixture.Missing}, courseAnalyticsOf},
	{fixture.Damage{Value: reconcile.CourseAnalytics, Defect: fixture.Stray}, strayRowsOf},
	{fixture.Damage{Value: reconcile.FeedGaps, Defect: fixture.Wrong}, gapsOf},
	{fixture.Damage{Value: reconcile.FeedGaps, Defect: fixture.Missing}, gapsOf},
}

// Repair tests that each kind of damage is found, reported and fixed.
func Repair(t *testing.T, b fixture.Backend) {
	t.Run("Every derived value is damaged", func(t *testing.T) {
		is := is.New(t)
		var damaged []reconcile.Value
		for _, d := range damages {
			damaged = append(damaged, d.Value)
		}
		is.Equal(slices.Compact(damaged), reconcile.Derived())
	})

	for _, d := range damages {
		t.Run("RecalculateDerived fixes "+d.Value.Type+"."+d.Value.Name+" if it is "+string(d.Defect)+", and returns those that were wrong", func(t *testing.T) {
			is, w := is.New(t), fixture.NewWorld(t, b)
			addRandomRecords(w.Tenant, 7)
			before, theirs := w.All(), w.OtherTenant.All()
			if slices.Contains(b.Computed, d.Value) {
				t.Skip("the store computes it when it is read")
			}
			b.Damage(t, w.ID, d.Damage)
			wrong, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) ([]reconcile.Discrepancy, error) {
				return tx.Reconciler.RecalculateDerived(ctx)
			})
			is.NoErr(err)
			var records []string
			for _, f := range wrong {
				is.Equal(f.Value, d.Value.Name)
				is.True(f.Stored != f.Expected)
				records = append(records, f.Record)
			}
			is.Equal(fixture.Distinct(records), fixture.Distinct(d.want(before))) // every damaged record is reported
			is.Equal(len(wrong), len(d.want(before)))                             // each record is reported once
			after := w.All()
			if d.Value == reconcile.QuizScores && d.Defect == fixture.Missing {
				after = fixture.Unnumbered(after)
			}
			is.Equal(fixture.Diff(after, before), "")
			is.Equal(len(w.MustReconcile()), 0)
			is.Equal(fixture.Diff(w.OtherTenant.All(), theirs), "")
		})
	}

	t.Run("Rolling back the transaction undoes RecalculateDerived", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		addRandomRecords(w.Tenant, 8)
		b.Damage(t, w.ID, fixture.Damage{Value: reconcile.CourseEnrollments, Defect: fixture.Wrong})
		before := w.All()
		is.True(w.Try(func(ctx context.Context, tx ports.Tx) error {
			return errors.Join(fixture.Second(tx.Reconciler.RecalculateDerived(ctx)), fixture.ErrDropped)
		}) != nil)
		is.Equal(fixture.Diff(w.All(), before), "")
		is.True(len(w.MustReconcile()) > 0)
	})

	t.Run("Discrepancies of course attempts are found, reported and fixed", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		is.NoErr(w.Try(func(ctx context.Context, tx ports.Tx) error { return w.CompleteActivity(ctx, tx, l.Learner.ID, l.Text) }))
		before := w.All()
		a, err := w.Latest(l.Learner.ID, l.Course.ID)
		is.NoErr(err)
		at := w.NextTime()
		a.Progress, a.LastCompletedAt = decimal.OneHundred, &at
		is.NoErr(w.TrySaveAttempt(a))
		wrong := w.MustReconcile()
		is.Equal(len(wrong), 2)
		is.Equal(wrong[0], reconcile.Discrepancy{Record: "course_attempts " + a.ID.String(), Value: "progress", Stored: "100", Expected: "25"})
		is.Equal(fixture.Diff(w.All(), before), "")
		is.Equal(w.MustReconcile(), nil)
	})

	t.Run("Discrepancies of quiz attempts and their scores are found, reported and fixed", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		first, latest := w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 1, true, true, true), w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 2, false, true)
		w.Save(first, latest)
		before := w.All()
		for _, r := range []quizattempt.State{first, latest} {
			r.Answers = slices.Clone(r.Answers)
			r.Score.Correct, r.Score.LastAnsweredAt = 0, w.NextTime()
			is.NoErr(w.TrySaveQuizAttempt(r))
		}
		wrong := w.MustReconcile()
		is.Equal(len(wrong), 4)
		is.Equal(wrong[0], reconcile.Discrepancy{
			Record: "quiz_attempts " + first.ID.String(), Value: "percent_correct", Stored: "0", Expected: "100",
		})
		is.Equal(fixture.Diff(w.All(), before), "")
		is.Equal(w.MustReconcile(), nil)
	})
}
