package ports

import (
	"context"

	"lyceum/domain/invitation"
)

// InvitationSender delivers invitation emails.
type InvitationSender interface {
	// Send submits the message for delivery. A fault of kind Invalid means that no retry can
	// succeed, because the address was rejected permanently. After any other error a retry may
	// succeed. The same message may be sent more than once, with the same Message-ID and a new
	// token each time.
	Send(ctx context.Context, m invitation.Message) error
}
