package transfer

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/redemption"
	"lyceum/domain/school"
	"lyceum/domain/submission"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// Snapshots tests ports.Snapshots and ports.Snapshot.
func Snapshots(t *testing.T, b fixture.Backend) {
	t.Run("Every method returns every record in order", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		one, two := w.NewBatch("one"), w.NewBatch("two")
		w.Save(two.Records...)
		w.Save(one.Records...)
		paper := w.NewSubmission(two.Attempts[0].State(), two.Activities[3].State())
		w.Save(paper)
		later := w.NewRedemption(two.Coupons[0].State().ID, two.People[1].State().ID)
		sooner := w.NewRedemption(two.Coupons[0].State().ID, two.People[0].State().ID)
		later.CreatedAt = sooner.CreatedAt.Add(time.Second)
		w.Save(later, sooner)
		got := w.Snapshot()
		owned := func(email string, record any) any {
			switch r := record.(type) {
			case ports.CourseAttempt:
				return ports.WithEmail[ports.CourseAttempt]{Email: email, Record: r}
			case ports.SubmissionRecord:
				return ports.WithEmail[ports.SubmissionRecord]{Email: email, Record: r}
			}
			return nil
		}
		equal := func(method string, want ...any) {
			t.Helper()
			if d := fixture.Diff(got[method], want); d != "" {
				t.Errorf("%s: %s", method, d)
			}
		}
		ada1, ada2 := "ada-one@example.test", "ada-two@example.test"
		equal("Categories", one.Categories[0].State(), two.Categories[0].State())
		equal("Coupons", one.Coupons[0].State(), two.Coupons[0].State())
		equal("People", one.People[0].State(), two.People[0].State(), one.People[1].State(), two.People[1].State())
		equal("Courses", one.Courses[0].State(), two.Courses[0].State())
		equal("Quizzes", one.Quizzes[0].State(), two.Quizzes[0].State())
		equal("Assignments", one.Assignments[0].State(), two.Assignments[0].State())
		equal("Activities", one.Activities[3].State(), one.Activities[2].State(), one.Activities[0].State(), one.Activities[1].State(),
			two.Activities[3].State(), two.Activities[2].State(), two.Activities[0].State(), two.Activities[1].State())
		equal("Groups", one.Groups[0].State(), two.Groups[0].State())
		equal("GroupCourses", one.GroupCourses[0], two.GroupCourses[0])
		equal("Attempts",
			owned(ada1, ports.CourseAttempt{State: one.Attempts[0].State(), Completions: one.Completions}),
			owned(ada2, ports.CourseAttempt{State: two.Attempts[0].State(), Completions: two.Completions}))
		equal("Redemptions",
			ports.WithEmail[redemption.Redemption]{Email: "ada-two@example.test", Record: sooner},
			ports.WithEmail[redemption.Redemption]{Email: "bob-two@example.test", Record: later})
		equal("Submissions", owned(ada2, ports.SubmissionRecord{Submission: paper, Number: 1}))
		for method, want := range map[string]int{
			"Partnerships": 2, "Memberships": 4, "Enrollments": 4, "QuizAttempts": 4, "Events": 4,
		} {
			is.Equal(len(got[method]), want)
		}
		runs := got["QuizAttempts"]
		equal("QuizAttempts",
			withEmail(runs[0], ada1, one.QuizAttempts[0].State()), withEmail(runs[0], ada1, one.QuizAttempts[1].State()),
			withEmail(runs[0], ada2, two.QuizAttempts[0].State()), withEmail(runs[0], ada2, two.QuizAttempts[1].State()))
		memberships := got["Memberships"]
		equal("Memberships", withEmail(memberships[0], ada1, one.Memberships[0]), withEmail(memberships[0], "bob-one@example.test", one.Memberships[1]),
			withEmail(memberships[0], ada2, two.Memberships[0]), withEmail(memberships[0], "bob-two@example.test", two.Memberships[1]))
		enrollments := got["Enrollments"]
		equal("Enrollments", withEmail(enrollments[0], ada1, one.Enrollments[0]), withEmail(enrollments[0], "bob-one@example.test", one.Enrollments[1]),
			withEmail(enrollments[0], ada2, two.Enrollments[0]), withEmail(enrollments[0], "bob-two@example.test", two.Enrollments[1]))
	})

	t.Run("fn sees one instant, regardless of concurrent writes", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		w.Save(w.NewBatch("one").Records...)
		before := w.Snapshot()
		is.NoErr(w.Store.Snapshot(w.Context(), w.ID, func(ctx context.Context, s ports.Snapshot) error {
			w.Save(w.NewBatch("two").Records...) // a snapshot does not block writes
			got, err := fixture.ReadSnapshot(ctx, s, nil)
			is.Equal(fixture.Diff(got, before), "")
			return err
		}))
		is.True(fixture.Diff(w.Snapshot(), before) != "")
	})

	t.Run("A method returns the first error of each, and Snapshot returns the error of fn", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.NewBatch("one")
		w.Save(c.Records...)
		w.Save(w.NewRedemption(c.Coupons[0].State().ID, c.People[0].State().ID))
		w.Save(w.NewSubmission(c.Attempts[0].State(), c.Activities[3].State()))
		err := w.Store.Snapshot(w.Context(), w.ID, func(ctx context.Context, s ports.Snapshot) error {
			got, err := fixture.ReadSnapshot(ctx, s, fixture.ErrDropped)
			is.NoErr(err)
			for m := range reflect.TypeFor[ports.Snapshot]().Methods() {
				if m.Name != "School" && m.Name != "Changes" {
					is.Equal(len(got[m.Name]), 1)
				}
			}
			return fixture.ErrDropped
		})
		is.True(errors.Is(err, fixture.ErrDropped))
	})

	t.Run("An unknown school is NotFound", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		is.True(fixture.IsNotFound(w.Store.Snapshot(w.Context(), fixture.NewSchoolID(), func(context.Context, ports.Snapshot) error { return nil })))
	})

	t.Run("A Snapshot in a transaction, a Load or a Snapshot is an error", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		nothing := func(context.Context, ports.Snapshot) error { return nil }
		w.Do(func(ctx context.Context, _ ports.Tx) error {
			is.True(w.Store.Snapshot(ctx, w.ID, nothing) != nil)
			return nil
		})
		is.NoErr(w.Loader.Load(w.Context(), w.ID, func(ctx context.Context, _ ports.LoadTx) error {
			is.True(w.Store.Snapshot(ctx, w.ID, nothing) != nil)
			return nil
		}))
		is.NoErr(w.Store.Snapshot(w.Context(), w.ID, func(ctx context.Context, s ports.Snapshot) error {
			is.True(w.Store.Snapshot(ctx, w.ID, nothing) != nil)
			own, err := s.School(ctx)
			is.Equal(own.State().ID, w.ID)
			return err
		}))
	})

	t.Run("An ended context ends a Snapshot", func(t *testing.T) {
		for _, cause := range fixture.Causes() {
			is, w := is.New(t), fixture.NewWorld(t, b)
			ctx, cancel := cause.End(w.Context())
			is.True(errors.Is(w.Store.Snapshot(ctx, w.ID, func(ctx context.Context, s ports.Snapshot) error {
				_, err := fixture.ReadSnapshot(ctx, s, nil)
				return err
			}), cause.Err))
			cancel()
		}
	})
}

// withEmail returns record as a ports.WithEmail of the same type as like, with the given email
// address.
func withEmail(like any, email string, record any) any {
	v := reflect.New(reflect.TypeOf(like)).Elem()
	v.FieldByName("Email").SetString(email)
	v.FieldByName("Record").Set(reflect.ValueOf(record))
	return v.Interface()
}

// NewSchoolLoads tests LoadNewSchool and the repositories of a load.
func NewSchoolLoads(t *testing.T, b fixture.Backend) {
	made := func(w fixture.World, name string) school.School {
		at := w.NextTime()
		id := fixture.NewSchoolID()
		return school.Restore(school.State{ID: id, Name: name, Slug: id.String(), Auth: school.Open, CreatedAt: at, UpdatedAt: at})
	}

	t.Run("LoadNewSchool commits the school and its records, or neither", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c, s := w.NewBatch("one"), made(w, "Made")
		there := w.Tenant
		there.ID = s.State().ID
		err := w.Loader.LoadNewSchool(w.Context(), s, func(ctx context.Context, l ports.LoadTx) error {
			return errors.Join(l.Add(ctx, c.Batch), fixture.ErrDropped)
		})
		is.True(errors.Is(err, fixture.ErrDropped))
		_, err = w.Schools.Get(w.Context(), there.ID)
		is.True(fixture.IsNotFound(err))
		is.NoErr(w.Loader.LoadNewSchool(w.Context(), s, func(ctx context.Context, l ports.LoadTx) error {
			_, err := w.Schools.Get(w.Context(), there.ID)
			is.True(fixture.IsNotFound(err)) // not visible before the commit
			return l.Add(ctx, c.Batch)
		}))
		found, err := w.Schools.Get(w.Context(), there.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(found.State(), s.State()), "")
		is.Equal(len(there.All().People), 2)
		is.Equal(there.MustReconcile(), nil)
		is.True(errors.Is(fixture.AddSchool(w.Context(), w.Loader, s), ports.ErrExists))
	})

	t.Run("LoadNewSchool commits the keys of the school, or none", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		s := made(w, "Opened")
		k := w.NewKey(0)
		k.School = s.State().ID
		add := func(failure error) error {
			return w.Loader.LoadNewSchool(w.Context(), s, func(ctx context.Context, l ports.LoadTx) error {
				is.NoErr(l.Tx().Keys.Add(ctx, k))
				return failure
			})
		}
		is.True(errors.Is(add(fixture.ErrDropped), fixture.ErrDropped))
		_, _, err := w.Schools.KeyByHash(w.Context(), k.Hash)
		is.True(fixture.IsNotFound(err))
		is.NoErr(add(nil))
		found, of, err := w.Schools.KeyByHash(w.Context(), k.Hash)
		is.NoErr(err)
		is.Equal(fixture.Diff(found, k), "")
		is.Equal(fixture.Diff(of.State(), s.State()), "")
	})

	t.Run("Concurrent LoadNewSchool calls with one name run one after another", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		var running, overlaps atomic.Int64
		var all sync.WaitGroup
		errs := make([]error, 3)
		for i := range errs {
			s := made(w, "Twice")
			all.Go(func() {
				errs[i] = w.Loader.LoadNewSchool(w.Context(), s, func(context.Context, ports.LoadTx) error {
					if running.Add(1) > 1 {
						overlaps.Add(1)
					}
					time.Sleep(50 * time.Millisecond)
					running.Add(-1)
					return nil
				})
			})
		}
		all.Wait()
		is.NoErr(errors.Join(errs...))
		is.Equal(overlaps.Load(), int64(0))
	})

	t.Run("Submissions are added with the other records", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.NewBatch("one")
		paper := w.NewSubmission(c.Attempts[0].State(), c.Activities[3].State())
		c.Submissions = []submission.Submission{paper}
		is.NoErr(w.Load(c.Batch))
		found, err := w.Read().Submissions.Get(w.Context(), paper.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(found.Submission, paper), "")
	})

	t.Run("Changes through the repositories of a Load are committed or rolled back with the added records", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		old, fresh := w.NewBatch("old"), w.NewBatch("new")
		w.Save(old.Records...)
		before := w.All()
		rename := func(end error) error {
			return w.Loader.Load(w.Context(), w.ID, func(ctx context.Context, l ports.LoadTx) error {
				tx := l.Tx()
				cat, err := tx.Categories.GetForUpdate(ctx, old.Categories[0].State().ID)
				is.NoErr(err)
				is.NoErr(cat.Rename("Renamed", w.NextTime()))
				is.NoErr(tx.Categories.Save(ctx, cat))
				is.NoErr(l.Add(ctx, fresh.Batch))
				a, err := fixture.LatestAttempt(ctx, tx, fresh.Learner.ID, fresh.Course.ID) // added records can be read
				is.NoErr(err)
				is.NoErr(tx.Attempts.Save(ctx, a))
				was, err := fixture.LatestAttempt(ctx, tx, old.Learner.ID, old.Course.ID)
				is.NoErr(err)
				is.NoErr(tx.Attempts.Save(ctx, was))
				return end
			})
		}
		is.True(errors.Is(rename(fixture.ErrDropped), fixture.ErrDropped))
		is.Equal(fixture.Diff(w.All(), before), "")
		is.NoErr(rename(nil))
		after := w.All()
		is.Equal(after.Categories[1].Name, "Renamed")
		is.Equal(len(after.People), 4)
		is.Equal(w.MustReconcile(), nil)
	})
}
