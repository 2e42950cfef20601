package ports

import (
	"context"

	"lyceum/domain/invitation"
)

// InvitationSender delivers invitation emails.
type InvitationSender interface {
	// Send hands the message over for delivery. A fault of kind Invalid means that no retry can
	// succeed (the address is rejected permanently); after any other error a retry may succeed. The
	// same message may be sent more than once, with the same Message-ID and another token each
	// time.
	Send(ctx context.Context, m invitation.Message) error
}
