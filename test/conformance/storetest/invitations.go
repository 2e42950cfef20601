package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/ports"
)

// newInvitation returns an invitation of the person without saving it.
func (s tenant) newInvitation(p person.ID) invitation.Invitation {
	return invitation.Invitation{Person: p, MessageID: job.ID{UUID: s.ids.New()}, RequestedAt: s.nextTime()}
}

// newLink returns a link for the invitation without saving it. Its hash is unique in the store.
func (s tenant) newLink(i invitation.Invitation) invitation.Link {
	at := s.nextTime()
	return invitation.Link{
		School: s.id, Hash: invitation.HashToken(s.id.String() + s.ids.New().String()), Person: i.Person, MessageID: i.MessageID,
		CreatedAt: at, ExpiresAt: at.Add(time.Hour),
	}
}

func (s tenant) invitationOf(p person.ID) (invitation.Invitation, error) {
	return s.read().Invitations.Get(s.ctx(), p)
}

// invitations tests ports.InvitationReader, ports.InvitationRepo and Schools.InvitationLinkByHash.
func invitations(t *testing.T, b Backend) {
	t.Run("Get returns the invitation of a person, NotFound without an invitation", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, grace := w.addPerson("ada@example.test"), w.addPerson("grace@example.test")
		want := w.newInvitation(ada.ID)
		w.save(want)
		got, err := w.invitationOf(ada.ID)
		is.NoErr(err)
		is.Equal(diff(got, want), "")
		got, err = inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (invitation.Invitation, error) {
			return tx.Invitations.Get(ctx, ada.ID)
		})
		is.NoErr(err)
		is.Equal(diff(got, want), "")
		_, err = w.invitationOf(grace.ID)
		is.True(isNotFound(err))
	})

	t.Run("Upsert inserts or replaces invitations", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, grace := w.addPerson("ada@example.test"), w.addPerson("grace@example.test")
		first := w.newInvitation(ada.ID)
		w.save(first)
		link := w.newLink(first)
		w.save(link)
		again, other := w.newInvitation(ada.ID), w.newInvitation(grace.ID)
		w.do(func(ctx context.Context, tx ports.Tx) error {
			return tx.Invitations.Upsert(ctx, []invitation.Invitation{other, again})
		})
		for _, want := range []invitation.Invitation{again, other} {
			got, err := w.invitationOf(want.Person)
			is.NoErr(err)
			is.Equal(diff(got, want), "")
		}
		found, err := w.schools.InvitationLinkByHash(w.ctx(), link.Hash) // the links of earlier emails remain
		is.NoErr(err)
		is.Equal(diff(found, link), "")
	})

	t.Run("Upsert returns an error for an unknown person and changes nothing", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada := w.addPerson("ada@example.test")
		err := w.try(func(ctx context.Context, tx ports.Tx) error {
			return tx.Invitations.Upsert(ctx, []invitation.Invitation{
				w.newInvitation(ada.ID), w.newInvitation(person.ID{UUID: w.ids.New()}),
			})
		})
		is.True(err != nil)
		is.True(fault.All(err) == nil)
		_, err = w.invitationOf(ada.ID)
		is.True(isNotFound(err))
	})

	t.Run("AddLink inserts the link, which is found after the commit", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		i := w.newInvitation(w.addPerson("ada@example.test").ID)
		w.save(i)
		one, two := w.newLink(i), w.newLink(i)
		w.save(one)
		w.do(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Invitations.AddLink(ctx, two); err != nil {
				return err
			}
			_, err := w.schools.InvitationLinkByHash(w.ctx(), two.Hash)
			is.True(isNotFound(err))
			return nil
		})
		for _, want := range []invitation.Link{one, two} {
			got, err := w.schools.InvitationLinkByHash(w.ctx(), want.Hash)
			is.NoErr(err)
			is.Equal(diff(got, want), "")
		}
	})

	t.Run("AddLink returns an error for a person without an invitation and for a hash that exists in any school", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		twin := newTenant(t, b, "Twin")
		ada, grace := w.addPerson("ada@example.test"), w.addPerson("grace@example.test")
		i, theirs := w.newInvitation(ada.ID), twin.newInvitation(twin.addPerson("ada@example.test").ID)
		w.save(i)
		twin.save(theirs)
		used, taken := w.newLink(i), twin.newLink(theirs)
		w.save(used)
		twin.save(taken)
		for _, spoil := range []func(*invitation.Link){
			func(l *invitation.Link) { l.Person = grace.ID },
			func(l *invitation.Link) { l.Hash = used.Hash },
			func(l *invitation.Link) { l.Hash = taken.Hash },
			func(l *invitation.Link) { l.School = twin.id },
		} {
			l := w.newLink(i)
			spoil(&l)
			err := w.trySave(l)
			is.True(err != nil)
			is.True(fault.All(err) == nil)
		}
		found, err := w.schools.InvitationLinkByHash(w.ctx(), taken.Hash)
		is.NoErr(err)
		is.Equal(diff(found, taken), "")
	})

	t.Run("ExpireLinks makes the person's links expire at that instant at the latest; the invitation remains", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, other := w.newInvitation(w.addPerson("ada@example.test").ID), w.newInvitation(w.addPerson("grace@example.test").ID)
		w.save(ada, other)
		over, holds, hers := w.newLink(ada), w.newLink(ada), w.newLink(other)
		at := holds.CreatedAt.Add(time.Minute)
		over.ExpiresAt = over.CreatedAt
		w.save(over, holds, hers)
		w.do(func(ctx context.Context, tx ports.Tx) error { return tx.Invitations.ExpireLinks(ctx, ada.Person, at) })
		holds.ExpiresAt = at
		for _, want := range []invitation.Link{over, holds, hers} {
			got, err := w.schools.InvitationLinkByHash(w.ctx(), want.Hash)
			is.NoErr(err)
			is.Equal(diff(got, want), "")
		}
		got, err := w.invitationOf(ada.Person)
		is.NoErr(err)
		is.Equal(diff(got, ada), "")
	})

	t.Run("Link returns the link of the school, also one that the transaction has added, NotFound for an unknown hash", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		i := w.newInvitation(w.addPerson("ada@example.test").ID)
		w.save(i)
		want := w.newLink(i)
		w.do(func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Invitations.Link(ctx, want.Hash)
			is.True(isNotFound(err))
			if err := tx.Invitations.AddLink(ctx, want); err != nil {
				return err
			}
			got, err := tx.Invitations.Link(ctx, want.Hash)
			is.Equal(diff(got, want), "")
			return err
		})
	})

	t.Run("InvitationLinkByHash returns the link of any school, NotFound for an unknown hash", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		twin := newTenant(t, b, "Twin")
		for _, s := range []tenant{w.tenant, twin} {
			i := s.newInvitation(s.addPerson("ada@example.test").ID)
			want := s.newLink(i)
			s.save(i, want)
			got, err := w.schools.InvitationLinkByHash(w.ctx(), want.Hash)
			is.NoErr(err)
			is.Equal(diff(got, want), "")
		}
		_, err := w.schools.InvitationLinkByHash(w.ctx(), invitation.HashToken("never sent"))
		is.True(isNotFound(err))
	})

	t.Run("DeleteByPerson deletes the invitation of the person and its links", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, grace := w.newInvitation(w.addPerson("ada@example.test").ID), w.newInvitation(w.addPerson("grace@example.test").ID)
		links := []invitation.Link{w.newLink(ada), w.newLink(ada), w.newLink(grace)}
		w.save(ada, grace, links[0], links[1], links[2])
		for range 2 { // deleting again changes nothing
			w.do(func(ctx context.Context, tx ports.Tx) error { return tx.Invitations.DeleteByPerson(ctx, ada.Person) })
			_, err := w.invitationOf(ada.Person)
			is.True(isNotFound(err))
			for i, l := range links {
				_, err := w.schools.InvitationLinkByHash(w.ctx(), l.Hash)
				is.Equal(isNotFound(err), i < 2)
			}
		}
		_, err := w.invitationOf(grace.Person)
		is.NoErr(err)
	})

	t.Run("A person with an invitation cannot be deleted", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		i := w.newInvitation(w.addPerson("ada@example.test").ID)
		l := w.newLink(i)
		w.save(i, l)
		w.mustRefuseRemoval(i.Person)
		is.NoErr(w.deletePerson(i.Person))
		is.Equal(len(w.all().People), 0)
		_, err := w.schools.InvitationLinkByHash(w.ctx(), l.Hash)
		is.True(isNotFound(err))
	})

	t.Run("Rolling back the transaction undoes changes of an invitation", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		i := w.newInvitation(w.addPerson("ada@example.test").ID)
		l := w.newLink(i)
		w.save(i, l)
		err := w.try(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Invitations.DeleteByPerson(ctx, i.Person); err != nil {
				return err
			}
			return context.Canceled
		})
		is.True(err != nil)
		got, err := w.invitationOf(i.Person)
		is.NoErr(err)
		is.Equal(diff(got, i), "")
		_, err = w.schools.InvitationLinkByHash(w.ctx(), l.Hash)
		is.NoErr(err)
	})

	t.Run("One of many concurrent acceptances succeeds", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		i := w.newInvitation(w.addPerson("ada@example.test").ID)
		l := w.newLink(i)
		w.save(i, l)
		var accepted tally
		for _, err := range atOnce(func(int) error { return w.accept(l, l.CreatedAt) }) {
			if err == nil {
				accepted.add(1)
				continue
			}
			is.True(fault.Is(err, fault.Gone))
		}
		is.Equal(accepted.n, 1)
		is.Equal(w.personSummary(i.Person).Status(), person.Activated)
	})
}

// accept activates the person of a link as a use case does. It returns Gone if the link is no
// longer usable.
func (s tenant) accept(l invitation.Link, now time.Time) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error {
		p, err := tx.People.GetForUpdate(ctx, l.Person)
		if err != nil {
			return err
		}
		i, err := tx.Invitations.Get(ctx, l.Person)
		if err != nil {
			return err
		}
		if err := l.CheckUsable(i, p.State(), now); err != nil {
			return err
		}
		p.Activate(now)
		return tx.People.Save(ctx, p)
	})
}

// invitationMethods contains the methods of ports.InvitationReader and ports.InvitationRepo.
var invitationMethods = []portMethod{
	{port: "Invitations", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return result(r.Invitations.Get(ctx, theirs.invitation.Person))
	}},
	{port: "Invitations", method: "Upsert", foreign: refused, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.Invitations.Upsert(ctx, []invitation.Invitation{theirs.invitation})
	}},
	{port: "Invitations", method: "AddLink", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		l := theirs.link
		l.School, l.Hash = ours.school, invitation.HashToken(ours.school.String()+theirs.ids.New().String())
		return nil, tx.Invitations.AddLink(ctx, l)
	}},
	{port: "Invitations", method: "Link", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return result(tx.Invitations.Link(ctx, theirs.link.Hash))
	}},
	{port: "Invitations", method: "ExpireLinks", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.Invitations.ExpireLinks(ctx, theirs.invitation.Person, theirs.link.ExpiresAt.Add(-time.Second))
	}},
	{port: "Invitations", method: "DeleteByPerson", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.Invitations.DeleteByPerson(ctx, theirs.invitation.Person)
	}},
}
