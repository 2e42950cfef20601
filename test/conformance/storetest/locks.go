package storetest

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
)

// observeTime is how long a test waits to see whether an operation blocks. A correct store never
// fails the test, even if it is slow.
const observeTime = 30 * time.Millisecond

// lockTimeout limits the time of an operation that must not block.
const lockTimeout = 10 * time.Second

// errStuck means that an operation that must not block does not return in time.
var errStuck = errors.New("the operation did not return in time")

// errNotBlocked means that a transaction ignored a lock.
var errNotBlocked = errors.New("another transaction changed a locked record before the transaction ended")

// locks tests that no other transaction changes or deletes a record that GetForUpdate has locked,
// until the transaction ends. group_locks.go tests GetManyForShare.
func locks(t *testing.T, b Backend) {
	t.Run("GetForUpdate of a category blocks its update", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.addCategory("Design")
		change := func(name string) error {
			return w.try(func(ctx context.Context, tx ports.Tx) error {
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
		is.NoErr(w.checkBlocks(lockCategory(c.ID), func() error { return change("er") }))
		is.Equal(w.all().Categories[0].Name, "Designer")
	})

	t.Run("A transaction waits for a lock no longer than its lock timeout", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.addCategory("Design")
		for name, inTx := range map[string]func(context.Context, school.ID, func(context.Context, ports.Tx) error) error{
			"InTx": w.store.InTx, "InLongTx": w.store.InLongTx,
		} {
			find := func() error {
				ctx, cancel := context.WithTimeout(ports.WithLockTimeout(w.ctx(), 20*time.Millisecond), lockTimeout)
				defer cancel()
				return inTx(ctx, w.id, lockCategory(c.ID))
			}
			w.do(func(ctx context.Context, tx ports.Tx) error {
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
		is, w := is.New(t), newWorld(t, b)
		c := w.addCategory("Design")
		is.NoErr(w.checkBlocks(lockCategory(c.ID), func() error { return w.tryDeleteCategory(c.ID) }))
		is.Equal(len(w.all().Categories), 0)
	})

	for name, find := range map[string]func(context.Context, ports.Tx) error{"GetForUpdate": lockSchool, "GetForShare": shareSchool} {
		t.Run(name+" of the school blocks its update", func(t *testing.T) {
			is, w := is.New(t), newWorld(t, b)
			name := "Another " + w.id.String()
			is.NoErr(w.checkBlocks(find, func() error { return w.tryRename(name) }))
			got, err := w.read().School.Get(w.ctx())
			is.NoErr(err)
			is.Equal(got.State().Name, name)
		})
	}

	t.Run("GetForShare of the school blocks on its update and sees the update", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		name := "Another " + w.id.String()
		var seen string
		share := func() error {
			return w.try(func(ctx context.Context, tx ports.Tx) error {
				s, err := tx.School.GetForShare(ctx)
				seen = s.State().Name
				return err
			})
		}
		is.NoErr(w.checkBlocks(renameSchool(name), share))
		is.Equal(seen, name)
	})

	if !b.Serial {
		t.Run("GetForShare of the school does not block on another GetForShare", func(t *testing.T) {
			is, w := is.New(t), newWorld(t, b)
			is.NoErr(w.concurrently(shareSchool, func() error { return w.try(shareSchool) }))
		})
	}

	all := func(ctx context.Context, tx ports.Tx) error { return second(tx.Keys.GetAllForUpdate(ctx)) }
	for name, find := range map[string]func(school.Key) func(context.Context, ports.Tx) error{
		"GetAllForUpdate": func(school.Key) func(context.Context, ports.Tx) error { return all },
		"GetForShare":     shareKey,
	} {
		t.Run(name+" of keys blocks their update", func(t *testing.T) {
			is, w := is.New(t), newWorld(t, b)
			k := w.newKey(0)
			w.save(k, w.newKey(1))
			revoke := func() error {
				return w.try(func(ctx context.Context, tx ports.Tx) error {
					revoked := k
					revoked.Revoke(k.CreatedAt.Add(time.Hour))
					return tx.Keys.Save(ctx, revoked)
				})
			}
			is.NoErr(w.checkBlocks(find(k), revoke))
			got, err := w.read().Keys.Get(w.ctx(), k.ID)
			is.NoErr(err)
			is.True(got.RevokedAt != nil)
		})
	}

	t.Run("GetForShare of a key blocks on GetAllForUpdate, not on another GetForShare", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		k := w.newKey(0)
		w.save(k)
		is.NoErr(w.checkBlocks(all, func() error { return w.try(shareKey(k)) }))
		if !b.Serial {
			is.NoErr(w.concurrently(shareKey(k), func() error { return w.try(shareKey(k)) }))
		}
	})

	t.Run("GetForUpdate of a person blocks an update", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p := w.addPerson("ada@example.test")
		changed := p
		changed.FirstName = "Augusta"
		is.NoErr(w.checkBlocks(lockPerson(p.ID), func() error { return w.trySavePerson(changed) }))
		is.Equal(w.personSummary(p.ID).FirstName, "Augusta")
	})

	t.Run("GetForUpdate of a person blocks deletion", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p := w.addPerson("ada@example.test")
		is.NoErr(w.checkBlocks(lockPerson(p.ID), func() error { return w.tryDeletePerson(p.ID) }))
		is.Equal(len(w.all().People), 0)
	})

	t.Run("GetManyForShare of a person blocks deletion", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p := w.addPerson("ada@example.test")
		load := func(ctx context.Context, tx ports.Tx) error {
			return second(tx.People.GetManyForShare(ctx, []person.ID{p.ID}))
		}
		is.NoErr(w.checkBlocks(load, func() error { return w.tryDeletePerson(p.ID) }))
		is.Equal(len(w.all().People), 0)
	})

	t.Run("An ended transaction blocks no other, regardless of how it ended", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c, p := w.addCategory("Design"), w.addPerson("ada@example.test")
		drawing := w.addCourse("Drawing")
		hold := func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Courses.GetManyForShare(ctx, []course.ID{drawing.ID})
			return errors.Join(err, lockCategory(c.ID)(ctx, tx), lockPerson(p.ID)(ctx, tx))
		}
		is.NoErr(w.try(hold))
		is.True(w.try(func(ctx context.Context, tx ports.Tx) error { return errors.Join(hold(ctx, tx), errDropped) }) != nil)
		is.True(recovered(func() {
			_ = w.try(func(ctx context.Context, tx ports.Tx) error {
				panic(hold(ctx, tx) == nil)
			})
		}) == true)
		is.NoErr(w.trySavePerson(p))
		is.NoErr(w.tryDeleteCategory(c.ID))
		is.Equal(w.tryEnroll(w.newEnrollment(p.ID, drawing.ID, enrollment.Learner)), 1)
	})

	t.Run("Readers do not block on locked records", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c, p := w.addCategory("Design"), w.addPerson("ada@example.test")
		before := w.all()
		var during everything
		w.do(func(ctx context.Context, tx ports.Tx) error {
			err := errors.Join(lockCategory(c.ID)(ctx, tx), lockPerson(p.ID)(ctx, tx))
			during = w.all()
			return err
		})
		is.Equal(diff(during, before), "")
	})
}

// checkBlocks calls find in a transaction, starts other, and calls find again. The function other
// must try to change the record that find locks. checkBlocks returns an error if other returns
// before the transaction ends, or if one of the functions fails.
func (s tenant) checkBlocks(find func(context.Context, ports.Tx) error, other func() error) error {
	ended := make(chan error, 1)
	started := false
	err := s.try(func(ctx context.Context, tx ports.Tx) error {
		if err := find(ctx, tx); err != nil {
			return err
		}
		if !started { // InTx may call this function again
			started = true
			go func() { ended <- other() }()
		}
		select {
		case err := <-ended:
			ended <- err
			return errors.Join(errNotBlocked, err)
		case <-time.After(observeTime):
			return find(ctx, tx) // the record must still exist
		}
	})
	if !started {
		return err
	}
	return errors.Join(err, <-ended)
}

// concurrently calls do in a transaction and then starts other. It returns an error if other does
// not return before the transaction ends, or if one of the functions fails.
func (s tenant) concurrently(do func(context.Context, ports.Tx) error, other func() error) error {
	done := false
	return s.try(func(ctx context.Context, tx ports.Tx) error {
		if err := do(ctx, tx); err != nil || done { // InTx may call this function again
			return err
		}
		ended := make(chan error, 1)
		go func() { ended <- other() }()
		select {
		case err := <-ended:
			done = err == nil
			return err
		case <-time.After(lockTimeout):
			return errStuck
		}
	})
}

func lockSchool(ctx context.Context, tx ports.Tx) error { return second(tx.School.GetForUpdate(ctx)) }

func shareKey(k school.Key) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error { return second(tx.Keys.GetForShare(ctx, k.ID)) }
}

func shareSchool(ctx context.Context, tx ports.Tx) error { return second(tx.School.GetForShare(ctx)) }

// renameSchool returns a function that renames the school in a transaction.
func renameSchool(name string) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error {
		s, err := tx.School.GetForUpdate(ctx)
		if err != nil {
			return err
		}
		if _, err := s.Update(school.Changes{Name: &name}, s.State().UpdatedAt); err != nil {
			return err
		}
		return tx.School.Save(ctx, s)
	}
}

// tryRename renames the school.
func (s tenant) tryRename(name string) error { return s.try(renameSchool(name)) }

func lockCategory(id category.ID) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error { return second(tx.Categories.GetForUpdate(ctx, id)) }
}

func lockPerson(id person.ID) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error { return second(tx.People.GetForUpdate(ctx, id)) }
}
