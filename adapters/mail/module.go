package mail

import (
	"log/slog"

	"go.uber.org/fx"
	"lyceum/ports"
)

// Module provides ports.Inviter by the Config that it is given, beside a
// ports.Clock and a *slog.Logger.
var Module = fx.Module("mail", fx.Provide(inviter))

func inviter(cfg Config, clock ports.Clock, log *slog.Logger) (ports.Inviter, error) {
	if cfg.Mode == SMTP {
		return NewSender(cfg, clock)
	}
	return NewLogger(log), cfg.Validate()
}
