package mail

import (
	"log/slog"

	"go.uber.org/fx"
	"lyceum/ports"
)

// Module provides ports.InvitationSender. It needs a Config, a ports.Clock and a *slog.Logger.
var Module = fx.Module("mail", fx.Provide(invitationSender))

func invitationSender(cfg Config, clock ports.Clock, log *slog.Logger) (ports.InvitationSender, error) {
	if cfg.Mode == SMTP {
		return NewSender(cfg, clock)
	}
	return NewLogger(log), cfg.Validate()
}
