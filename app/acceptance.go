package app

import (
	"context"

	"lyceum/app/admission"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/text"
	"lyceum/ports"
)

// Welcome is what somebody is shown who has the link to an invitation.
type Welcome struct {
	School school.State
	Person person.State
}

// Show returns what the link with token opens. A token that was never sent is
// NotFound, a link that can be used no longer Gone. Nothing is changed: mail
// programs look at links before people do.
func (u *Invitations) Show(ctx context.Context, token string) (Welcome, error) {
	l, err := u.find(ctx, token)
	if err != nil {
		return Welcome{}, err
	}
	r := u.deps.Store.Read(l.School)
	p, err := r.People.Get(ctx, l.Person)
	if err != nil {
		return Welcome{}, err
	}
	i, err := r.Invitations.Get(ctx, l.Person)
	if err != nil {
		return Welcome{}, err
	}
	if err := l.Open(i, p.State, u.deps.Clock.Now()); err != nil {
		return Welcome{}, err
	}
	s, err := r.School.Get(ctx)
	return Welcome{School: s.State(), Person: p.State}, err
}

// Accept activates the person to whom the link with token was sent, gives them
// the names that they tell, and returns them with the actor of their school that
// documents need. Errors are those of Show, and those of the names. Of many at once
// one succeeds, for the others the link is Gone. Nobody shows a key for this, so of
// a nothing counts but whether it is a dry run.
func (u *Invitations) Accept(
	ctx context.Context, a Actor, token string, names person.Edit,
) (person.Summary, Actor, error) {
	l, err := u.find(ctx, token)
	if err != nil {
		return person.Summary{}, Actor{}, err
	}
	now := u.deps.Clock.Now()
	a = a.WithoutKey(l.School)
	var after person.Summary
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		p, err := tx.People.Find(ctx, l.Person)
		if err != nil {
			return err
		}
		i, err := tx.Invitations.Get(ctx, l.Person)
		if err != nil {
			return err
		}
		if err := l.Open(i, p.State(), now); err != nil {
			return err
		}
		if _, err := p.Edit(person.Edit{FirstName: names.FirstName, LastName: names.LastName}, now); err != nil {
			return err
		}
		p.Activate(now)
		if err := tx.People.Save(ctx, p); err != nil {
			return err
		}
		after, err = tx.People.Get(ctx, l.Person)
		return err
	})
	return after, a, err
}

// find returns the link with token.
func (u *Invitations) find(ctx context.Context, token string) (invitation.Link, error) {
	if text.Token("", token) != nil {
		return invitation.Link{}, fault.Missing()
	}
	return u.deps.Schools.FindLink(ctx, invitation.HashToken(token))
}

// Get returns the invitation of a person, NotFound when nobody has invited them.
func (u *Invitations) Get(ctx context.Context, a Actor, id person.ID) (invitation.Invitation, error) {
	return u.deps.Store.Read(a.School()).Invitations.Get(ctx, id)
}

// Resend writes another letter to a person who has not accepted yet. The links of
// earlier letters end with it, and letters that still wait are dropped. When the
// last letter was written within invitation.Pause, that one is it.
func (u *Invitations) Resend(ctx context.Context, a Actor, id person.ID) (invitation.Invitation, error) {
	now := u.deps.Clock.Now()
	var asked invitation.Invitation
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		p, err := tx.People.Find(ctx, id)
		if err != nil {
			return err
		}
		s, err := tx.School.Get(ctx)
		if err != nil {
			return err
		}
		if err := invitation.CheckResending(s, p.State()); err != nil {
			return err
		}
		asked, err = tx.Invitations.Get(ctx, id)
		if err == nil && asked.Fresh(now) {
			return nil
		}
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		if err := admission.CheckInviting(u.deps.Policies.Living, s, p.State()); err != nil {
			return err
		}
		if err := admission.Invite(ctx, u.deps, tx, s, p, now); err != nil {
			return err
		}
		asked, err = tx.Invitations.Get(ctx, id)
		return err
	})
	return asked, err
}
