package mail

import (
	"log/slog"

	"go.uber.org/fx"
	"lyceum/ports"
)

// Module provides ports.InvitationSender and ports.SignInSender. It needs a Config, a ports.Clock
// and a *slog.Logger.
var Module = fx.Module("mail", fx.Provide(sender,
	func(s emailSender) ports.InvitationSender { return s },
	func(s emailSender) ports.SignInSender { return s },
))

// emailSender sends every kind of email.
type emailSender interface {
	ports.InvitationSender
	ports.SignInSender
}

func sender(cfg Config, clock ports.Clock, log *slog.Logger) (emailSender, error) {
	if cfg.Mode == SMTP {
		return NewSender(cfg, clock)
	}
	return NewLogger(log), cfg.Validate()
}
