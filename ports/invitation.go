package ports

import (
	"context"
	"time"

	"lyceum/domain/invitation"
	"lyceum/domain/person"
)

// InvitationReader reads who is invited by which letter.
type InvitationReader interface {
	// Get returns the invitation of a person, NotFound when there is none.
	Get(ctx context.Context, id person.ID) (invitation.Invitation, error)
}

// InvitationRepo reads and writes invitations and the links that open them.
type InvitationRepo interface {
	InvitationReader

	// Put keeps the invitations is, of a person each, in the place of those that
	// there were. A person that the school has not is refused with an error.
	Put(ctx context.Context, is []invitation.Invitation) error

	// AddLink keeps a new link, which Schools.FindLink finds once the transaction is
	// committed. A person without an invitation, or a hash that a link of any
	// school has, is refused with an error.
	AddLink(ctx context.Context, l invitation.Link) error

	// EndLinks lets the links to the invitation of a person that would hold longer
	// expire at that instant; the invitation stays.
	EndLinks(ctx context.Context, id person.ID, at time.Time) error

	// RemoveOfPerson forgets the invitation of a person and its links.
	RemoveOfPerson(ctx context.Context, id person.ID) error
}
