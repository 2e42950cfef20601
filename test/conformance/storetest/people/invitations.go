package people

import (
	"context"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

func invitationOf(s fixture.Tenant, p person.ID) (invitation.Invitation, error) {
	return s.Read().Invitations.Get(s.Context(), p)
}

// Invitations tests ports.InvitationReader, ports.InvitationRepo and Schools.InvitationLinkByHash.
func Invitations(t *testing.T, b fixture.Backend) {
	t.Run("Get returns the invitation of a person, NotFound without an invitation", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, grace := w.AddPerson("ada@example.test"), w.AddPerson("grace@example.test")
		want := w.NewInvitation(ada.ID)
		w.Save(want)
		got, err := invitationOf(w.Tenant, ada.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, want), "")
		got, err = fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (invitation.Invitation, error) {
			return tx.Invitations.Get(ctx, ada.ID)
		})
		is.NoErr(err)
		is.Equal(fixture.Diff(got, want), "")
		_, err = invitationOf(w.Tenant, grace.ID)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("Upsert inserts or replaces invitations", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, grace := w.AddPerson("ada@example.test"), w.AddPerson("grace@example.test")
		first := w.NewInvitation(ada.ID)
		w.Save(first)
		link := w.NewLink(first)
		w.Save(link)
		again, other := w.NewInvitation(ada.ID), w.NewInvitation(grace.ID)
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			return tx.Invitations.Upsert(ctx, []invitation.Invitation{other, again})
		})
		for _, want := range []invitation.Invitation{again, other} {
			got, err := invitationOf(w.Tenant, want.Person)
			is.NoErr(err)
			is.Equal(fixture.Diff(got, want), "")
		}
		found, err := w.Schools.InvitationLinkByHash(w.Context(), link.Hash) // the links of earlier emails remain
		is.NoErr(err)
		is.Equal(fixture.Diff(found, link), "")
	})

	t.Run("Upsert returns an error for an unknown person and changes nothing", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada := w.AddPerson("ada@example.test")
		err := w.Try(func(ctx context.Context, tx ports.Tx) error {
			return tx.Invitations.Upsert(ctx, []invitation.Invitation{
				w.NewInvitation(ada.ID), w.NewInvitation(person.ID{UUID: w.IDs.New()}),
			})
		})
		is.True(err != nil)
		is.True(fault.All(err) == nil)
		_, err = invitationOf(w.Tenant, ada.ID)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("AddLink inserts the link, which is found after the commit", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		i := w.NewInvitation(w.AddPerson("ada@example.test").ID)
		w.Save(i)
		one, two := w.NewLink(i), w.NewLink(i)
		w.Save(one)
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Invitations.AddLink(ctx, two); err != nil {
				return err
			}
			_, err := w.Schools.InvitationLinkByHash(w.Context(), two.Hash)
			is.True(fixture.IsNotFound(err))
			return nil
		})
		for _, want := range []invitation.Link{one, two} {
			got, err := w.Schools.InvitationLinkByHash(w.Context(), want.Hash)
			is.NoErr(err)
			is.Equal(fixture.Diff(got, want), "")
		}
	})

	t.Run("AddLink returns an error for a person without an invitation and for a hash that exists in any school", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		twin := fixture.NewTenant(t, b, "Twin")
		ada, grace := w.AddPerson("ada@example.test"), w.AddPerson("grace@example.test")
		i, theirs := w.NewInvitation(ada.ID), twin.NewInvitation(twin.AddPerson("ada@example.test").ID)
		w.Save(i)
		twin.Save(theirs)
		used, taken := w.NewLink(i), twin.NewLink(theirs)
		w.Save(used)
		twin.Save(taken)
		for _, spoil := range []func(*invitation.Link){
			func(l *invitation.Link) { l.Person = grace.ID },
			func(l *invitation.Link) { l.Hash = used.Hash },
			func(l *invitation.Link) { l.Hash = taken.Hash },
			func(l *invitation.Link) { l.School = twin.ID },
		} {
			l := w.NewLink(i)
			spoil(&l)
			err := w.TrySave(l)
			is.True(err != nil)
			is.True(fault.All(err) == nil)
		}
		found, err := w.Schools.InvitationLinkByHash(w.Context(), taken.Hash)
		is.NoErr(err)
		is.Equal(fixture.Diff(found, taken), "")
	})

	t.Run("ExpireLinks makes the person's links expire at that instant at the latest; the invitation remains", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, other := w.NewInvitation(w.AddPerson("ada@example.test").ID), w.NewInvitation(w.AddPerson("grace@example.test").ID)
		w.Save(ada, other)
		over, holds, hers := w.NewLink(ada), w.NewLink(ada), w.NewLink(other)
		at := holds.CreatedAt.Add(time.Minute)
		over.ExpiresAt = over.CreatedAt
		w.Save(over, holds, hers)
		w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.Invitations.ExpireLinks(ctx, ada.Person, at) })
		holds.ExpiresAt = at
		for _, want := range []invitation.Link{over, holds, hers} {
			got, err := w.Schools.InvitationLinkByHash(w.Context(), want.Hash)
			is.NoErr(err)
			is.Equal(fixture.Diff(got, want), "")
		}
		got, err := invitationOf(w.Tenant, ada.Person)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, ada), "")
	})

	t.Run("Link returns the link of the school, also one that the transaction has added, NotFound for an unknown hash", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		i := w.NewInvitation(w.AddPerson("ada@example.test").ID)
		w.Save(i)
		want := w.NewLink(i)
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Invitations.Link(ctx, want.Hash)
			is.True(fixture.IsNotFound(err))
			if err := tx.Invitations.AddLink(ctx, want); err != nil {
				return err
			}
			got, err := tx.Invitations.Link(ctx, want.Hash)
			is.Equal(fixture.Diff(got, want), "")
			return err
		})
	})

	t.Run("InvitationLinkByHash returns the link of any school, NotFound for an unknown hash", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		twin := fixture.NewTenant(t, b, "Twin")
		for _, s := range []fixture.Tenant{w.Tenant, twin} {
			i := s.NewInvitation(s.AddPerson("ada@example.test").ID)
			want := s.NewLink(i)
			s.Save(i, want)
			got, err := w.Schools.InvitationLinkByHash(w.Context(), want.Hash)
			is.NoErr(err)
			is.Equal(fixture.Diff(got, want), "")
		}
		_, err := w.Schools.InvitationLinkByHash(w.Context(), invitation.HashToken("never sent"))
		is.True(fixture.IsNotFound(err))
	})

	t.Run("DeleteByPerson deletes the invitation of the person and its links", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, grace := w.NewInvitation(w.AddPerson("ada@example.test").ID), w.NewInvitation(w.AddPerson("grace@example.test").ID)
		links := []invitation.Link{w.NewLink(ada), w.NewLink(ada), w.NewLink(grace)}
		w.Save(ada, grace, links[0], links[1], links[2])
		for range 2 { // deleting again changes nothing
			w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.Invitations.DeleteByPerson(ctx, ada.Person) })
			_, err := invitationOf(w.Tenant, ada.Person)
			is.True(fixture.IsNotFound(err))
			for i, l := range links {
				_, err := w.Schools.InvitationLinkByHash(w.Context(), l.Hash)
				is.Equal(fixture.IsNotFound(err), i < 2)
			}
		}
		_, err := invitationOf(w.Tenant, grace.Person)
		is.NoErr(err)
	})

	t.Run("A person with an invitation cannot be deleted", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		i := w.NewInvitation(w.AddPerson("ada@example.test").ID)
		l := w.NewLink(i)
		w.Save(i, l)
		w.MustRefuseRemoval(i.Person)
		is.NoErr(w.DeletePerson(i.Person))
		is.Equal(len(w.All().People), 0)
		_, err := w.Schools.InvitationLinkByHash(w.Context(), l.Hash)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("Rolling back the transaction undoes changes of an invitation", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		i := w.NewInvitation(w.AddPerson("ada@example.test").ID)
		l := w.NewLink(i)
		w.Save(i, l)
		err := w.Try(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Invitations.DeleteByPerson(ctx, i.Person); err != nil {
				return err
			}
			return context.Canceled
		})
		is.True(err != nil)
		got, err := invitationOf(w.Tenant, i.Person)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, i), "")
		_, err = w.Schools.InvitationLinkByHash(w.Context(), l.Hash)
		is.NoErr(err)
	})

	t.Run("One of many concurrent acceptances succeeds", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		i := w.NewInvitation(w.AddPerson("ada@example.test").ID)
		l := w.NewLink(i)
		w.Save(i, l)
		var accepted fixture.Counter
		for _, err := range fixture.AtOnce(func(int) error { return accept(w.Tenant, l, l.CreatedAt) }) {
			if err == nil {
				accepted.Add(1)
				continue
			}
			is.True(fault.Is(err, fault.Gone))
		}
		is.Equal(accepted.Count, 1)
		is.Equal(w.PersonSummary(i.Person).Status(), person.Activated)
	})
}

// accept activates the person of a link as a use case does. It returns Gone if the link is no
// longer usable.
func accept(s fixture.Tenant, l invitation.Link, now time.Time) error {
	return s.Try(func(ctx context.Context, tx ports.Tx) error {
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
