package ports

import (
	"context"

	"lyceum/domain/invitation"
)

// Inviter delivers invitations.
type Inviter interface {
	// Invite hands the letter over for delivery. An error that is a fault of kind
	// Invalid says that no later try can succeed (the address is refused for
	// good); any other error, that one may. The same letter may be handed over
	// more than once: it carries the same Message-ID each time, and another token.
	Invite(ctx context.Context, l invitation.Letter) error
}
