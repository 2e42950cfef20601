package app_test

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit/intercept"
)

// The address of a person changes after an acceptance has read the link and before it locks the
// person. The change ends the link, which is in the old mailbox.
func TestAcceptDuringAddressChange(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	id := w.invite(t)
	token, email := w.lastToken(t), "changed@example.test"
	changed := false
	store := intercept.Store(w.store, func(ctx context.Context, call string) error {
		if call != "InTx" || changed {
			return nil
		}
		changed = true
		_, err := w.People.Update(ctx, w.actor, id, person.Changes{Email: &email})
		return err
	})
	a := app.New(store, w.schools, w.queue, w.files, w.emails, w.clock, w.ids)
	_, _, err := a.Invitations.Accept(w.ctx, app.Actor{}, token, person.Changes{})
	is.True(fault.Is(err, fault.Gone))
	is.True(changed)
	p, err := w.People.Get(w.ctx, w.actor, id)
	is.NoErr(err)
	is.Equal(p.Status(), person.NotActivated)
}

// The address of a person changes after a sign-in has found the person by the old address and
// before it locks the person. The sign-in fails, and begins no session of the person.
func TestSignInDuringAddressChange(t *testing.T) {
	is, c := is.New(t), newClassroom(t)
	in, err := c.schools.Get(c.ctx, c.school)
	is.NoErr(err)
	token, err := c.SignIns.CreateLink(c.ctx, c.school, adaAddress)
	is.NoErr(err)
	store := &staleAddresses{Store: c.store}
	is.NoErr(c.store.InTx(c.ctx, c.school, func(ctx context.Context, tx ports.Tx) (err error) {
		if store.found, err = tx.People.ByEmail(ctx, []string{adaAddress}); err != nil {
			return err
		}
		p, err := tx.People.GetForUpdate(ctx, c.ada)
		if err != nil {
			return err
		}
		email := "new@example.test"
		if _, err := p.Update(person.Changes{Email: &email}, c.clock.Now()); err != nil {
			return err
		}
		return tx.People.Save(ctx, p) // leaves the link, unlike a change by People.Update
	}))
	a := app.New(store, c.schools, c.queue, c.files, c.emails, c.clock, c.ids)
	_, err = a.SignIns.UseLink(c.ctx, in.State(), token, "")
	is.True(fault.Is(err, fault.Gone))
	sessions, err := c.SignIns.Sessions(c.ctx, c.school, c.ada)
	is.NoErr(err)
	is.Equal(len(sessions), 0)
}

// staleAddresses is a store whose first ByEmail returns found.
type staleAddresses struct {
	ports.Store
	found map[string]person.Person
}

func (s *staleAddresses) InTx(ctx context.Context, id school.ID, fn func(ctx context.Context, tx ports.Tx) error) error {
	return s.Store.InTx(ctx, id, func(ctx context.Context, tx ports.Tx) error {
		tx.People = stalePeople{tx.People, s}
		return fn(ctx, tx)
	})
}

type stalePeople struct {
	ports.PersonRepo
	store *staleAddresses
}

func (r stalePeople) ByEmail(ctx context.Context, emails []string) (found map[string]person.Person, err error) {
	if r.store.found == nil {
		return r.PersonRepo.ByEmail(ctx, emails)
	}
	found, r.store.found = r.store.found, nil
	return found, nil
}
