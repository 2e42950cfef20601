package telemetry

import "go.uber.org/fx"

// Module provides Metrics and the Server that tells them, on the Config that it
// is given, beside a *slog.Logger. The server starts and stops with the
// application.
var Module = fx.Module("telemetry",
	fx.Provide(New, NewServer),
	fx.Invoke(func(lc fx.Lifecycle, s *Server) { lc.Append(fx.StartStopHook(s.Start, s.Stop)) }),
)
