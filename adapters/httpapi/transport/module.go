package transport

import (
	"context"

	"go.uber.org/fx"
)

// Module provides a Server on the Config that it is given, beside a *slog.Logger
// and the Maker of what it serves. The server starts and stops with the
// application, last and first: its users come after everything that it needs.
var Module = fx.Module("transport",
	fx.Provide(New),
	fx.Invoke(func(lc fx.Lifecycle, s *Server, m Maker) {
		lc.Append(fx.Hook{
			OnStart: func(ctx context.Context) error { return s.Start(ctx, m) },
			OnStop:  s.Stop,
		})
	}),
)
