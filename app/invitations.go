package app

import (
	"context"
	"errors"

	"lyceum/app/admission"
	"lyceum/app/usecase"
	"lyceum/domain/audit"
	"lyceum/domain/change"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/school"
	"lyceum/domain/text"
	"lyceum/ports"
)

// Invitations gets, accepts and resends the invitations of people.
type Invitations struct{ deps usecase.Deps }

// InvitationView contains the data of the invitation page.
type InvitationView struct {
	School school.State
	Person person.State
}

// Link returns the link with the token. It returns NotFound for an unknown token. It reads nothing
// else, so that locks on records of the school do not delay it.
func (u *Invitations) Link(ctx context.Context, token string) (invitation.Link, error) {
	if text.Token("", token) != nil {
		return invitation.Link{}, fault.RecordNotFound()
	}
	return u.deps.Schools.InvitationLinkByHash(ctx, invitation.HashToken(token))
}

// ByLink returns the invitation of the link, or Gone if the link is no longer usable. It changes
// nothing, because mail programs open links before people do.
func (u *Invitations) ByLink(ctx context.Context, l invitation.Link) (InvitationView, error) {
	r := u.deps.Store.Read(l.School)
	p, err := r.People.Get(ctx, l.Person)
	if err != nil {
		return InvitationView{}, err
	}
	i, err := r.Invitations.Get(ctx, l.Person)
	if err != nil {
		return InvitationView{}, err
	}
	if err := l.CheckUsable(i, p.State, u.deps.Clock.Now()); err != nil {
		return InvitationView{}, err
	}
	s, err := r.School.Get(ctx)
	return InvitationView{School: s.State(), Person: p.State}, err
}

// Accept activates the person of the link with the token, sets the given names, and returns the
// person and an actor of their school. It returns the errors of Link and ByLink, and faults of the
// names. Of concurrent calls, one call succeeds and the others return Gone. The request has no API
// key, so Accept takes from a only the dry-run mode and the shared transaction.
func (u *Invitations) Accept(
	ctx context.Context, a Actor, token string, names person.Changes,
) (person.Summary, Actor, error) {
	l, err := u.Link(ctx, token)
	if err != nil {
		return person.Summary{}, Actor{}, err
	}
	now := u.deps.Clock.Now()
	a = a.WithoutKey(l.School)
	var after person.Summary
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		p, err := tx.People.GetForUpdate(ctx, l.Person)
		if err != nil {
			return err
		}
		i, err := tx.Invitations.Get(ctx, l.Person)
		if err != nil {
			return err
		}
		l, err := tx.Invitations.Link(ctx, l.Hash) // again, because it may have expired before the lock
		if err != nil {
			return err
		}
		if err := l.CheckUsable(i, p.State(), now); err != nil {
			return err
		}
		if err := usecase.ActAs(ctx, tx, audit.Actor{Type: audit.Invitation, Person: l.Person}); err != nil {
			return err
		}
		before := p.State()
		if _, err := p.Update(person.Changes{FirstName: names.FirstName, LastName: names.LastName}, now); err != nil {
			return err
		}
		by, err := u.deps.Request(ctx, tx.School, a, now)
		if err != nil {
			return err
		}
		verdict := admission.CheckPersonChange(u.deps.Policies.Living, by, before, p.State())
		if errors.Is(verdict, policy.NoEffect) {
			// The verdict is on the names. The person is activated anyway.
			p, verdict = person.Restore(before), nil
		}
		p.Activate(now)
		effect, err := policy.Effect(policy.Combine(verdict, admission.CheckAccepting(u.deps.Policies.Living, by, before, p.State())))
		if err != nil {
			return usecase.AtData(err)
		}
		if effect {
			if err := tx.People.Save(ctx, p); err != nil {
				return err
			}
		}
		if after, err = tx.People.Get(ctx, l.Person); err != nil {
			return err
		}
		s, err := tx.School.Get(ctx)
		if err != nil {
			return err
		}
		a = a.WithSlug(s.State().Slug)
		return markDeletable(ctx, u.deps, a, tx.School, &after)
	})
	return after, a, err
}

// Get returns the invitation of a person. It returns NotFound if the person was never invited.
func (u *Invitations) Get(ctx context.Context, a Actor, id person.ID) (invitation.Invitation, error) {
	return u.deps.Read(a).Invitations.Get(ctx, id)
}

// Resend enqueues another invitation email to a person who has not accepted yet, and expires the
// links of earlier emails. Earlier emails that were not sent yet are never sent. If the last email
// was requested within invitation.ResendInterval, Resend returns the invitation unchanged.
func (u *Invitations) Resend(ctx context.Context, a Actor, id person.ID) (invitation.Invitation, error) {
	now := u.deps.Clock.Now()
	var i invitation.Invitation
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		p, err := tx.People.GetForUpdate(ctx, id)
		if err != nil {
			return err
		}
		s, err := tx.School.Get(ctx)
		if err != nil {
			return err
		}
		if err := invitation.CheckResend(s, p.State()); err != nil {
			return err
		}
		i, err = tx.Invitations.Get(ctx, id)
		if err == nil && i.SentRecently(now) {
			return nil
		}
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		by, err := u.deps.Request(ctx, tx.School, a, now)
		if err != nil {
			return err
		}
		by.School = s.State()
		if effect, err := policy.Effect(admission.CheckInviting(u.deps.Policies.Living, by, p.State())); !effect {
			if i == (invitation.Invitation{}) { // never invited
				i.Person, i.RequestedAt = id, now
			}
			return usecase.AtData(err)
		}
		if err := admission.Invite(ctx, u.deps, tx, s, p, now); err != nil {
			return err
		}
		if err := tx.Audit.Add(ctx, audit.Invited, change.Record{Type: person.Type, ID: id.String()}); err != nil {
			return err
		}
		i, err = tx.Invitations.Get(ctx, id)
		return err
	})
	return i, err
}
