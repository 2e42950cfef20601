package methods

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// Locks tests that no other transaction changes or deletes a record that GetForUpdate has locked,
// until the transaction ends. Package groups tests GetManyForShare.
func Locks(t *testing.T, b fixture.Backend) {
	t.Run("GetForUpdate of a category blocks its update", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.AddCategory("Design")
		change := func(name string) error {
			return w.Try(func(ctx context.Context, tx ports.Tx) error {
				found, err := tx.Categories.GetForUpdate(ctx, c.ID)
				if err != nil {
					return err
				}
				if err := found.Rename(found.State().Name+name, c.UpdatedAt); err != nil {
					return err
				}
				return tx.Categories.Save(ctx, found)
			})
		}
		is.NoErr(w.CheckBlocks(lockCategory(c.ID), func() error { return change("er") }))
		is.Equal(w.All().Categories[0].Name, "Designer")
	})

	t.Run("A transaction waits for a lock no longer than its lock timeout", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.AddCategory("Design")
		for name, inTx := range map[string]func(context.Context, school.ID, func(context.Context, ports.Tx) error) error{
			"InTx": w.Store.InTx, "InLongTx": w.Store.InLongTx,
		} {
			find := func() error {
				ctx, cancel := context.WithTimeout(ports.WithLockTimeout(w.Context(), 20*time.Millisecond), fixture.LockTimeout)
				defer cancel()
				return inTx(ctx, w.ID, lockCategory(c.ID))
			}
			w.Do(func(ctx context.Context, tx ports.Tx) error {
				if _, err := tx.Categories.GetForUpdate(ctx, c.ID); err != nil {
					return err
				}
				err := find()
				is.True(errors.Is(err, ports.ErrLockTimeout))
				is.True(fault.Is(err, fault.Unavailable))
				return nil
			})
			if err := find(); err != nil {
				t.Errorf("%s after the lock was released: %v", name, err)
			}
		}
	})

	t.Run("GetForUpdate of a category blocks its deletion", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.AddCategory("Design")
		is.NoErr(w.CheckBlocks(lockCategory(c.ID), func() error { return w.TryDeleteCategory(c.ID) }))
		is.Equal(len(w.All().Categories), 0)
	})

	for name, find := range map[string]func(context.Context, ports.Tx) error{"GetForUpdate": lockSchool, "GetForShare": shareSchool} {
		t.Run(name+" of the school blocks its update", func(t *testing.T) {
			is, w := is.New(t), fixture.NewWorld(t, b)
			name := "Another " + w.ID.String()
			is.NoErr(w.CheckBlocks(find, func() error { return w.TryRename(name) }))
			got, err := w.Read().School.Get(w.Context())
			is.NoErr(err)
			is.Equal(got.State().Name, name)
		})
	}

	t.Run("GetForShare of the school blocks on its update and sees the update", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		name := "Another " + w.ID.String()
		var seen string
		share := func() error {
			return w.Try(func(ctx context.Context, tx ports.Tx) error {
				s, err := tx.School.GetForShare(ctx)
				seen = s.State().Name
				return err
			})
		}
		is.NoErr(w.CheckBlocks(fixture.RenameSchool(name), share))
		is.Equal(seen, name)
	})

	if !b.Serial {
		t.Run("GetForShare of the school does not block on another GetForShare", func(t *testing.T) {
			is, w := is.New(t), fixture.NewWorld(t, b)
			is.NoErr(w.Concurrently(shareSchool, func() error { return w.Try(shareSchool) }))
		})
	}

	all := func(ctx context.Context, tx ports.Tx) error { return fixture.Second(tx.Keys.GetAllForUpdate(ctx)) }
	for name, find := range map[string]func(school.Key) func(context.Context, ports.Tx) error{
		"GetAllForUpdate": func(school.Key) func(context.Context, ports.Tx) error { return all },
		"GetForShare":     shareKey,
	} {
		t.Run(name+" of keys blocks their update", func(t *testing.T) {
			is, w := is.New(t), fixture.NewWorld(t, b)
			k := w.NewKey(0)
			w.Save(k, w.NewKey(1))
			revoke := func() error {
				return w.Try(func(ctx context.Context, tx ports.Tx) error {
					revoked := k
					revoked.Revoke(k.CreatedAt.Add(time.Hour))
					return tx.Keys.Save(ctx, revoked)
				})
			}
			is.NoErr(w.CheckBlocks(find(k), revoke))
			got, err := w.Read().Keys.Get(w.Context(), k.ID)
			is.NoErr(err)
			is.True(got.RevokedAt != nil)
		})
	}

	t.Run("GetForShare of a key blocks on GetAllForUpdate, not on another GetForShare", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		k := w.NewKey(0)
		w.Save(k)
		is.NoErr(w.CheckBlocks(all, func() error { return w.Try(shareKey(k)) }))
		if !b.Serial {
			is.NoErr(w.Concurrently(shareKey(k), func() error { return w.Try(shareKey(k)) }))
		}
	})

	t.Run("GetForUpdate of a person blocks an update", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p := w.AddPerson("ada@example.test")
		changed := p
		changed.FirstName = "Augusta"
		is.NoErr(w.CheckBlocks(lockPerson(p.ID), func() error { return w.TrySavePerson(changed) }))
		is.Equal(w.PersonSummary(p.ID).FirstName, "Augusta")
	})

	t.Run("GetForUpdate of a person blocks deletion", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p := w.AddPerson("ada@example.test")
		is.NoErr(w.CheckBlocks(lockPerson(p.ID), func() error { return w.TryDeletePerson(p.ID) }))
		is.Equal(len(w.All().People), 0)
	})

	t.Run("GetManyForShare of a person blocks deletion", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p := w.AddPerson("ada@example.test")
		load := func(ctx context.Context, tx ports.Tx) error {
			return fixture.Second(tx.People.GetManyForShare(ctx, []person.ID{p.ID}))
		}
		is.NoErr(w.CheckBlocks(load, func() error { return w.TryDeletePerson(p.ID) }))
		is.Equal(len(w.All().People), 0)
	})

	t.Run("An ended transaction blocks no other, regardless of how it ended", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c, p := w.AddCategory("Design"), w.AddPerson("ada@example.test")
		drawing := w.AddCourse("Drawing")
		hold := func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Courses.GetManyForShare(ctx, []course.ID{drawing.ID})
			return errors.Join(err, lockCategory(c.ID)(ctx, tx), lockPerson(p.ID)(ctx, tx))
		}
		is.NoErr(w.Try(hold))
		is.True(w.Try(func(ctx context.Context, tx ports.Tx) error { return errors.Join(hold(ctx, tx), fixture.ErrDropped) }) != nil)
		is.True(fixture.Recovered(func() {
			_ = w.Try(func(ctx context.Context, tx ports.Tx) error {
				panic(hold(ctx, tx) == nil)
			})
		}) == true)
		is.NoErr(w.TrySavePerson(p))
		is.NoErr(w.TryDeleteCategory(c.ID))
		is.Equal(w.TryEnroll(w.NewEnrollment(p.ID, drawing.ID, enrollment.Learner)), 1)
	})

	t.Run("Readers do not block on locked records", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c, p := w.AddCategory("Design"), w.AddPerson("ada@example.test")
		before := w.All()
		var during fixture.Everything
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			err := errors.Join(lockCategory(c.ID)(ctx, tx), lockPerson(p.ID)(ctx, tx))
			during = w.All()
			return err
		})
		is.Equal(fixture.Diff(during, before), "")
	})
}

func lockSchool(ctx context.Context, tx ports.Tx) error {
	return fixture.Second(tx.School.GetForUpdate(ctx))
}

func shareKey(k school.Key) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error { return fixture.Second(tx.Keys.GetForShare(ctx, k.ID)) }
}

func shareSchool(ctx context.Context, tx ports.Tx) error {
	return fixture.Second(tx.School.GetForShare(ctx))
}

func lockCategory(id category.ID) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error {
		return fixture.Second(tx.Categories.GetForUpdate(ctx, id))
	}
}

func lockPerson(id person.ID) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error { return fixture.Second(tx.People.GetForUpdate(ctx, id)) }
}
