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

	// Upsert inserts or replaces invitations, at most one for each person. It returns an error if a
	// person does not exist.
	Upsert(ctx context.Context, is []invitation.Invitation) error

	// AddLink inserts a new link. After the commit, Schools.InvitationLinkByHash finds it. It
	// returns an error if the person has no invitation, or if a link of any school already has its
	// hash.
	AddLink(ctx context.Context, l invitation.Link) error

	// Link returns the link of the school with the given hash, or NotFound if there is none.
	Link(ctx context.Context, h invitation.Hash) (invitation.Link, error)

	// ExpireLinks sets the expiry of all links to a person's invitation to the given time, except
	// links that expire earlier. The invitation remains.
	ExpireLinks(ctx context.Context, id person.ID, at time.Time) error

	// DeleteByPerson deletes the invitation of a person and its links.
	DeleteByPerson(ctx context.Context, id person.ID) error
}
