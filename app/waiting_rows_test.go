package app_test

import (
	"context"
	"errors"
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit/intercept"
)

// acceptRows accepts a bulk request with a row about bob and a row about eve, who is new.
func (w *world) acceptRows(t *testing.T) bulk.ID {
	t.Helper()
	bob := bulk.People.NewRow(0, "BOB@example.test", nil, nil, nil)
	bob.FirstName, bob.LastName = "Robert", "Smith"
	j, err := w.Bulk.Accept(w.ctx, w.actor, bulk.People, []bulk.Row{bob, bulk.People.NewRow(1, "eve@example.test", nil, nil, nil)})
	is.New(t).NoErr(err)
	return j.ID
}

// A person is deleted while a row about the person waits. The row must not add the person again.
func TestWaitingRowOfDeletedPerson(t *testing.T) {
	is, w := is.New(t), newWorld(t, school.Preregistration)
	id := w.acceptRows(t)
	is.NoErr(w.People.Delete(w.ctx, w.actor, w.people["bob@example.test"]))
	worked, err := w.Bulk.ApplyNext(w.ctx)
	is.NoErr(err)
	is.True(worked)

	j, err := w.Bulk.Get(w.ctx, w.actor, id)
	is.NoErr(err)
	is.Equal([]int{j.RowsDone, j.RowsFailed}, []int{2, 1})
	is.Equal(j.Errors, []bulk.RowError{{Row: 0, Kind: fault.Gone, Detail: "The person was deleted after this request"}})
	found := w.byEmail(t, "bob@example.test", "eve@example.test")
	is.Equal(len(found), 1)
	emails, err := w.queue.List(w.ctx, invitation.Kind)
	is.NoErr(err)
	is.Equal(len(emails), 1)
	is.Equal(emails[0].Payload, found["eve@example.test"].State().ID.String())
}

// A deletion that fails erases no rows.
func TestWaitingRowAfterFailedDeletion(t *testing.T) {
	is, w := is.New(t), newWorld(t, school.Preregistration)
	id := w.acceptRows(t)
	store := intercept.Store(w.store, func(_ context.Context, call string) error {
		if call == "Tx.People.Delete" {
			return errors.New("outage")
		}
		return nil
	})
	a := app.New(store, w.schools, w.queue, w.files, w.emails, w.clock, w.ids)
	is.True(a.People.Delete(w.ctx, w.actor, w.people["bob@example.test"]) != nil)
	_, err := w.Bulk.ApplyNext(w.ctx)
	is.NoErr(err)
	j, err := w.Bulk.Get(w.ctx, w.actor, id)
	is.NoErr(err)
	is.Equal([]int{j.RowsDone, j.RowsFailed}, []int{2, 0})
}

// The address changes after the deletion has found the waiting rows and before it locks the person.
func TestWaitingRowOfChangedAddress(t *testing.T) {
	is, w := is.New(t), newWorld(t, school.Preregistration)
	id := w.acceptRows(t)
	store := &staleSummary{Store: w.store, email: "other@example.test"}
	a := app.New(store, w.schools, w.queue, w.files, w.emails, w.clock, w.ids)
	is.NoErr(a.People.Delete(w.ctx, w.actor, w.people["bob@example.test"]))
	_, err := w.Bulk.ApplyNext(w.ctx)
	is.NoErr(err)
	j, err := w.Bulk.Get(w.ctx, w.actor, id)
	is.NoErr(err)
	is.Equal(j.RowsFailed, 1)
	is.Equal(len(w.byEmail(t, "bob@example.test")), 0)
}

// The address changes to another one after a change of the address has read it and before it locks
// the person. The change fails the rows about the address that the person has then.
func TestWaitingRowOfAddressChangedTwice(t *testing.T) {
	is, w := is.New(t), newWorld(t, school.Preregistration)
	id, email := w.acceptRows(t), "other@example.test"
	store := &staleSummary{Store: w.store, email: email}
	a := app.New(store, w.schools, w.queue, w.files, w.emails, w.clock, w.ids)
	_, err := a.People.Update(w.ctx, w.actor, w.people["bob@example.test"], person.Changes{Email: &email})
	is.NoErr(err)
	_, err = w.Bulk.ApplyNext(w.ctx)
	is.NoErr(err)
	j, err := w.Bulk.Get(w.ctx, w.actor, id)
	is.NoErr(err)
	is.Equal(j.RowsFailed, 1)
	is.Equal(len(w.byEmail(t, "bob@example.test")), 0)
}

func (w *world) byEmail(t *testing.T, emails ...string) (found map[string]person.Person) {
	t.Helper()
	is.New(t).NoErr(w.store.InTx(w.ctx, w.school, func(ctx context.Context, tx ports.Tx) (err error) {
		found, err = tx.People.ByEmail(ctx, emails)
		return err
	}))
	return found
}

// staleSummary is a store whose first Get of a person returns another address.
type staleSummary struct {
	ports.Store
	email string
}

func (s *staleSummary) InTx(ctx context.Context, id school.ID, fn func(ctx context.Context, tx ports.Tx) error) error {
	return s.Store.InTx(ctx, id, func(ctx context.Context, tx ports.Tx) error {
		tx.People = staleSummaries{tx.People, s}
		return fn(ctx, tx)
	})
}

type staleSummaries struct {
	ports.PersonRepo
	store *staleSummary
}

func (r staleSummaries) Get(ctx context.Context, id person.ID) (person.Summary, error) {
	p, err := r.PersonRepo.Get(ctx, id)
	if r.store.email != "" {
		p.Email, r.store.email = r.store.email, ""
	}
	return p, err
}
