package memory_test

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
)

// occupy starts a transaction of the school and returns when the transaction is running. finish
// ends the transaction and waits until it has ended.
func occupy(t *testing.T, store ports.Store, s school.ID) (finish func()) {
	t.Helper()
	running, leave, done := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		done <- store.InTx(t.Context(), s, func(ctx context.Context, tx ports.Tx) error {
			err := tx.People.Add(ctx, newPerson(1))
			close(running)
			<-leave
			return err
		})
	}()
	<-running
	return func() {
		close(leave)
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
}

func TestReadersDoNotWaitForATransaction(t *testing.T) {
	is := is.New(t)
	store, s := newSchool(t)
	finish := occupy(t, store, s)

	_, err := store.Read(s).People.Get(t.Context(), personID(1))
	is.True(fault.Is(err, fault.NotFound)) // the write of the open transaction is not visible
	page, err := store.Read(s).People.List(t.Context(), query.Query{})
	is.NoErr(err)
	is.Equal(len(page.Items), 0)

	finish()
	_, err = store.Read(s).People.Get(t.Context(), personID(1))
	is.NoErr(err) // the write is committed
}

// watched is a context that sends on waiting whenever Done is called.
type watched struct {
	context.Context
	waiting chan<- struct{}
}

func (w watched) Done() <-chan struct{} {
	w.waiting <- struct{}{}
	return w.Context.Done()
}

func TestWaitingTransactionEndsWithContext(t *testing.T) {
	is := is.New(t)
	store, s := newSchool(t)
	finish := occupy(t, store, s)
	defer finish()

	ctx, cancel := context.WithCancel(t.Context())
	waiting, ended := make(chan struct{}), make(chan error)
	go func() {
		ended <- store.InTx(watched{ctx, waiting}, s, func(context.Context, ports.Tx) error {
			t.Error("the transaction ran concurrently with another")
			return nil
		})
	}()
	<-waiting
	cancel()
	is.True(errors.Is(<-ended, context.Canceled))
}

func TestSchoolsDoNotWaitForEachOther(t *testing.T) {
	is := is.New(t)
	store, s := newSchool(t)
	other := addSchool(t, store, 1)
	finish := occupy(t, store, s)
	defer finish()

	addPeople(t, store, other, 2, 3)
	_, err := store.Read(other).People.Get(t.Context(), personID(2))
	is.NoErr(err)
}

func TestCanceledTransactionChangesNothing(t *testing.T) {
	is := is.New(t)
	store, s := newSchool(t)
	ctx, cancel := context.WithCancel(t.Context())

	err := store.InTx(ctx, s, func(ctx context.Context, tx ports.Tx) error {
		defer cancel()
		return tx.People.Add(ctx, newPerson(1))
	})

	is.True(errors.Is(err, context.Canceled))
	_, err = store.Read(s).People.Get(t.Context(), personID(1))
	is.True(fault.Is(err, fault.NotFound))
}

func TestTxFailsAfterItsEnd(t *testing.T) {
	is := is.New(t)
	store, s := newSchool(t)
	var escaped ports.Tx
	write(t, store, s, func(_ context.Context, tx ports.Tx) error {
		escaped = tx
		return nil
	})

	is.True(escaped.People.Add(t.Context(), newPerson(1)) != nil)
	is.True(escaped.Jobs.Add(t.Context(), newJob(s, 1)) != nil)
	_, err := escaped.Courses.List(t.Context(), query.Query{})
	is.True(err != nil)
	_, err = store.Read(s).People.Get(t.Context(), personID(1))
	is.True(fault.Is(err, fault.NotFound))
}

// If the function passed to InTx does not return, because it panics or calls t.FailNow, the
// transaction must still release the school.
func TestFunctionThatDoesNotReturnIsRolledBack(t *testing.T) {
	for name, leave := range map[string]func(){
		"panic":  func() { panic("leaving") },
		"goexit": runtime.Goexit,
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			store, s := newSchool(t)
			left := make(chan any)
			go func() {
				defer func() { left <- recover() }()
				_ = store.InTx(t.Context(), s, func(ctx context.Context, tx ports.Tx) error {
					_ = tx.People.Add(ctx, newPerson(1))
					leave()
					return nil
				})
			}()
			is.Equal(<-left != nil, name == "panic") // a panic propagates

			addPeople(t, store, s, 2, 3) // the school is not locked
			page, err := store.Read(s).People.List(t.Context(), query.Query{})
			is.NoErr(err)
			is.Equal(len(page.Items), 1)
			is.Equal(page.Items[0].ID, personID(2))
		})
	}
}

func TestFailedCallChangesNothing(t *testing.T) {
	is := is.New(t)
	store, s := newSchool(t)
	addPeople(t, store, s, 0, 2)
	addCourses(t, store, s, 1)

	write(t, store, s, func(ctx context.Context, tx ports.Tx) error {
		es := []enrollment.Enrollment{enroll(10, 0, 0), enroll(11, 404, 0)}
		_, err := tx.Enrollments.AddIfAbsent(ctx, es)
		is.True(err != nil)              // person 404 does not exist
		is.Equal(len(fault.All(err)), 0) // a defect of the caller, not a fault

		kept, err := tx.Enrollments.ByPerson(ctx, personID(0))
		is.NoErr(err)
		is.Equal(len(kept), 0) // the first enrollment was not added either

		n, err := tx.Enrollments.AddIfAbsent(ctx, es[:1])
		is.Equal(n, 1)
		return err
	})

	p, err := store.Read(s).People.Get(t.Context(), personID(0))
	is.NoErr(err)
	is.Equal(p.CourseCount, int64(1))
}

func TestDuplicateIDFails(t *testing.T) {
	store, s := newSchool(t)
	addPeople(t, store, s, 0, 1)
	write(t, store, s, func(ctx context.Context, tx ports.Tx) error {
		is := is.New(t)
		again := newPerson(0).State()
		again.Email = "another@example.test"
		is.True(tx.People.Add(ctx, person.Restore(again)) != nil)
		p, err := tx.People.Get(ctx, again.ID)
		is.NoErr(err)
		is.Equal(p.Email, newPerson(0).State().Email)
		return nil
	})
}

func TestPeopleAreLoadedByTheirIDs(t *testing.T) {
	store, s := newSchool(t)
	addPeople(t, store, s, 0, 3)
	write(t, store, s, func(ctx context.Context, tx ports.Tx) error {
		is := is.New(t)
		found, err := tx.People.GetManyForShare(ctx, []person.ID{personID(1), personID(404), personID(2), personID(1)})
		is.NoErr(err)
		is.Equal(len(found), 2) // each record once, and no other
		is.Equal(found[personID(1)].State(), newPerson(1).State())
		is.Equal(found[personID(2)].State(), newPerson(2).State())
		return nil
	})
}
