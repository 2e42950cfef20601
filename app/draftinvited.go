package app

import (
	"context"

	"github.com/google/uuid"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/text"
	"lyceum/ports"
)

// invited drafts the invitation of a person, with its link. The letter's id
// follows from the person's.
func (d *drafting) invited(id person.ID, p InvitationPlan) error {
	token := d.token(p.Token)
	if err := text.Token("token", token); err != nil {
		return err
	}
	asked, until := at(p.At, d.now), at(p.Until, d.now.Add(invitation.Lifetime))
	if !until.After(asked) {
		return fault.Invalidf("until", "must be after the letter was written")
	}
	letter := job.ID{UUID: uuid.NewSHA1(id.UUID, []byte("invitation"))}
	d.invitations = append(d.invitations, invitation.Invitation{Person: id, Letter: letter, AskedAt: asked})
	d.links = append(d.links, invitation.Link{
		Hash: invitation.HashToken(token), Person: id, Letter: letter, CreatedAt: asked, ExpiresAt: until,
	})
	return nil
}

// checkTokens says which tokens of invitations open another one already: of the
// blueprint, or of any school.
func (u *Provision) checkTokens(ctx context.Context, b Blueprint) error {
	var errs []error
	seen := map[string]bool{}
	for i, p := range b.People {
		if p.Invitation == nil || p.Invitation.Token == "" {
			continue
		}
		token := p.Invitation.Token
		_, err := u.schools.FindLink(ctx, invitation.HashToken(token))
		switch {
		case err == nil || seen[token]:
			errs = append(errs, fault.Within(element("people", i),
				fault.Invalidf("invitation.token", "is the token of another invitation")))
		case !fault.Is(err, fault.NotFound):
			return err
		}
		seen[token] = true
	}
	return fault.Join(errs...)
}

// keepInvited writes the invitations of a draft and their links.
func keepInvited(ctx context.Context, tx ports.Tx, id school.ID, d draft) error {
	if err := tx.Invitations.Put(ctx, d.invitations); err != nil {
		return err
	}
	for _, l := range d.links {
		l.School = id
		if err := tx.Invitations.AddLink(ctx, l); err != nil {
			return err
		}
	}
	return nil
}
