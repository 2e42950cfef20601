package telemetry

import "go.uber.org/fx"

// Module provides Metrics and the Server that exports them. It needs a Config and a
// *slog.Logger. The server starts and stops with the application.
var Module = fx.Module("telemetry",
	fx.Provide(New, NewServer),
	fx.Invoke(func(lc fx.Lifecycle, s *Server) { lc.Append(fx.StartStopHook(s.Start, s.Stop)) }),
)
