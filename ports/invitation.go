package ports

import (
	"context"
	"time"

	"lyceum/domain/invitation"
	"lyceum/domain/person"
)

// InvitationReader reads invitations.
type InvitationReader interface {
	// Get returns the invitation of a person, or NotFound if there is none.
	Get(ctx context.Context, id person.ID) (invitation.Invitation, error)
}

// InvitationRepo reads and writes invitations and their links.
type InvitationRepo interface {
	InvitationReader

	// Upsert inserts the invitations is, one for each person, and replaces existing ones. It
	// returns an error if a person does not exist.
	Upsert(ctx context.Context, is []invitation.Invitation) error

	// AddLink inserts a new link, which Schools.InvitationLinkByHash finds once the transaction is
	// committed. It returns an error if the person has no invitation, or if a link of any school
	// has the hash.
	AddLink(ctx context.Context, l invitation.Link) error

	// ExpireLinks sets the expiry of those links to the invitation of a person that would expire
	// later to the given time; the invitation remains.
	ExpireLinks(ctx context.Context, id person.ID, at time.Time) error

	// DeleteByPerson deletes the invitation of a person and its links.
	DeleteByPerson(ctx context.Context, id person.ID) error
}
