package mail

import (
	"context"
	"log/slog"

	"lyceum/domain/invitation"
	"lyceum/domain/signin"
	"lyceum/ports"
)

// Logger writes a log message for each email and sends nothing.
type Logger struct{ log *slog.Logger }

var (
	_ ports.InvitationSender = Logger{}
	_ ports.SignInSender     = Logger{}
)

// NewLogger returns a Logger that writes to log.
func NewLogger(log *slog.Logger) Logger { return Logger{log} }

// Send implements ports.InvitationSender. It logs the ids of the message and the school, but
// not the person.
func (g Logger) Send(ctx context.Context, l invitation.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	g.log.InfoContext(ctx, "invitation email not sent (mail.mode is log)",
		slog.String("job", l.ID.String()), slog.String("school", l.School))
	return nil
}

// SendSignIn implements ports.SignInSender. Like Send, it does not log the person.
func (g Logger) SendSignIn(ctx context.Context, l signin.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	g.log.InfoContext(ctx, "sign-in email not sent (mail.mode is log)",
		slog.String("job", l.ID.String()), slog.String("school", l.School))
	return nil
}
