package transfer

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/membership"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// BulkLoads tests ports.Loader and ports.LoadTx.
func BulkLoads(t *testing.T, b fixture.Backend) {
	t.Run("Load inserts the same records as the repositories", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		one, two := w.NewBatch("one"), w.NewBatch("two")
		twin := fixture.NewTenant(t, b, "Own School")
		twin.Save(twin.NewBatch("one").Records...)
		twin.Save(twin.NewBatch("two").Records...)
		theirs := w.OtherTenant.All()
		is.NoErr(w.Load(one.Batch, two.Batch))
		got, want := fixture.Unnumbered(w.All()), fixture.Unnumbered(twin.All())
		got.School = want.School
		is.Equal(fixture.Diff(got, want), "")
		is.Equal(w.CoursesOf(one.Group.ID), twin.CoursesOf(one.Group.ID))
		is.Equal(w.MustReconcile(), nil)
		is.Equal(fixture.Diff(w.OtherTenant.All(), theirs), "")
	})

	t.Run("Records can refer to existing records", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		old, fresh := w.NewBatch("old"), w.NewBatch("new")
		w.Save(old.Records...)
		is.NoErr(w.Load(fresh.Batch, ports.Batch{
			GroupCourses: []ports.GroupCourse{{Group: old.Group.ID, Course: fresh.Course.ID}},
			Memberships:  []membership.Membership{w.NewMembership(fresh.Learner.ID, old.Group.ID, membership.Member)},
			Enrollments: []enrollment.Enrollment{
				w.NewEnrollment(old.Learner.ID, fresh.Course.ID, enrollment.Learner),
				w.NewEnrollment(fresh.Learner.ID, old.Course.ID, enrollment.Learner),
			},
		}))
		is.Equal(w.MustReconcile(), nil)
		found, err := w.Read().Courses.Get(w.Context(), old.Course.ID)
		is.NoErr(err)
		is.Equal(found.EnrollmentsCount, int64(2))
	})

	t.Run("An error of fn or Add rolls back everything, and Load returns the error of fn", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.NewBatch("one")
		before := w.All()
		err := w.Loader.Load(w.Context(), w.ID, func(ctx context.Context, l ports.LoadTx) error {
			return errors.Join(l.Add(ctx, c.Batch), fixture.ErrDropped)
		})
		is.True(errors.Is(err, fixture.ErrDropped))
		is.Equal(fixture.Diff(w.All(), before), "")
		err = w.Loader.Load(w.Context(), w.ID, func(ctx context.Context, l ports.LoadTx) error {
			_, _ = l.Add(ctx, c.Batch), l.Add(ctx, c.Batch) // the second call adds the same records as the first
			return nil
		})
		is.True(errors.Is(err, ports.ErrExists))
		is.Equal(fixture.Diff(w.All(), before), "")
		is.NoErr(w.Load(c.Batch)) // no lock is held
	})

	t.Run("An error of Load or LoadNewSchool is a NotSavedError", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		isNotSaved := func(err error) bool { return errors.As(err, new(*ports.NotSavedError)) }
		nothing := func(context.Context, ports.LoadTx) error { return nil }
		fails := func(context.Context, ports.LoadTx) error { return fixture.ErrDropped }
		is.True(isNotSaved(w.Loader.Load(w.Context(), w.ID, fails)))
		is.True(isNotSaved(w.Loader.Load(w.Context(), fixture.NewSchoolID(), nothing)))
		c := w.NewBatch("one").Batch
		is.NoErr(w.Load(c))
		is.True(isNotSaved(w.Load(c)))
		own, err := w.Schools.Get(w.Context(), w.ID)
		is.NoErr(err)
		is.True(isNotSaved(w.Loader.LoadNewSchool(w.Context(), own, nothing)))
		w.Do(func(ctx context.Context, _ ports.Tx) error {
			is.True(isNotSaved(w.Loader.Load(ctx, w.ID, nothing)))
			is.True(isNotSaved(w.Loader.LoadNewSchool(ctx, own, nothing)))
			return nil
		})
		ended, cancel := context.WithCancel(w.Context())
		cancel()
		is.True(isNotSaved(w.Loader.Load(ended, w.ID, nothing)))
		is.True(isNotSaved(w.Loader.LoadNewSchool(ended, own, nothing)))
		is.NoErr(w.Loader.Load(w.Context(), w.ID, nothing))
	})

	t.Run("No record is visible before the commit", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		before := w.All()
		is.NoErr(w.Loader.Load(w.Context(), w.ID, func(ctx context.Context, l ports.LoadTx) error {
			err := l.Add(ctx, w.NewBatch("one").Batch)
			is.Equal(fixture.Diff(w.All(), before), "")
			return err
		}))
		is.True(len(w.All().People) == 2)
	})

	t.Run("An unknown school is NotFound", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		w.ID = fixture.NewSchoolID()
		is.True(fixture.IsNotFound(w.Load(ports.Batch{})))
	})

	t.Run("A Load in a transaction or a Load, and a transaction in a Load, are errors", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		nothing := func(context.Context, ports.LoadTx) error { return nil }
		w.Do(func(ctx context.Context, _ ports.Tx) error {
			is.True(w.Loader.Load(ctx, w.ID, nothing) != nil)
			return nil
		})
		is.NoErr(w.Loader.Load(w.Context(), w.ID, func(ctx context.Context, _ ports.LoadTx) error {
			is.True(w.Loader.Load(ctx, w.ID, nothing) != nil)
			is.True(w.Store.InTx(ctx, w.ID, func(context.Context, ports.Tx) error { return nil }) != nil)
			return nil
		}))
	})

	t.Run("An ended context ends a Load and rolls it back", func(t *testing.T) {
		for _, cause := range fixture.Causes() {
			is, w := is.New(t), fixture.NewWorld(t, b)
			before := w.All()
			ctx, cancel := cause.End(w.Context())
			is.True(errors.Is(w.Loader.Load(ctx, w.ID, func(ctx context.Context, l ports.LoadTx) error {
				return l.Add(ctx, w.NewBatch("one").Batch)
			}), cause.Err))
			cancel()
			is.Equal(fixture.Diff(w.All(), before), "")
		}
	})

	t.Run("Derived data is correct regardless of concurrent writes", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		old := w.NewBatch("old")
		w.Save(old.Records...)
		const writers, rounds = 4, 10
		var wg sync.WaitGroup
		errs := make([]error, writers)
		for i := range writers {
			p := w.AddPerson(string(rune('p'+i)) + "@example.test")
			wg.Go(func() {
				for range rounds {
					e := w.NewEnrollment(p.ID, old.Course.ID, enrollment.Learner)
					errs[i] = errors.Join(errs[i], w.Try(func(ctx context.Context, tx ports.Tx) error {
						return fixture.Add(ctx, tx, e)
					}), w.Try(func(ctx context.Context, tx ports.Tx) error {
						return fixture.Second(tx.Enrollments.RemoveFromCourses(ctx, p.ID, enrollment.Learner, []course.ID{old.Course.ID}))
					}), w.Try(func(ctx context.Context, tx ports.Tx) error {
						return fixture.Add(ctx, tx, e)
					}))
					errs[i] = errors.Join(errs[i], w.Try(func(ctx context.Context, tx ports.Tx) error {
						return fixture.Second(tx.Enrollments.RemoveFromCourses(ctx, p.ID, enrollment.Learner, []course.ID{old.Course.ID}))
					}))
				}
			})
		}
		for _, mark := range []string{"one", "two", "three", "four", "five"} {
			c := w.NewBatch(mark)
			c.Enrollments = append(c.Enrollments, w.NewEnrollment(c.Learner.ID, old.Course.ID, enrollment.Learner))
			c.Memberships = append(c.Memberships, w.NewMembership(c.Learner.ID, old.Group.ID, membership.Member))
			is.NoErr(w.Load(c.Batch))
		}
		wg.Wait()
		is.NoErr(errors.Join(errs...))
		is.Equal(w.MustReconcile(), nil)
		found, err := w.Read().Courses.Get(w.Context(), old.Course.ID)
		is.NoErr(err)
		is.Equal(found.EnrollmentsCount, int64(6))
	})
	loadErrors(t, b)
	loadedEvents(t, b)
}
