package transport

import (
	"context"

	"go.uber.org/fx"
)

// Module provides a Server. It needs a Config, a *slog.Logger and a HandlerFunc. The server starts
// last and stops first, because its requests use all other components.
var Module = fx.Module("transport",
	fx.Provide(New),
	fx.Invoke(func(lc fx.Lifecycle, s *Server, m HandlerFunc) {
		lc.Append(fx.Hook{
			OnStart: func(ctx context.Context) error { return s.Start(ctx, m) },
			OnStop:  s.Stop,
		})
	}),
)
