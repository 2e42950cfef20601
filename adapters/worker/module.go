package worker

import (
	"context"
	"log/slog"

	"go.uber.org/fx"
	"lyceum/ports"
)

// Module provides a Pool for every Work in the fx group "work". It needs a Config, a ports.Queue
// and a *slog.Logger. The pool stops with the application. The application calls Start once
// everything that the work needs has started.
var Module = fx.Module("worker",
	fx.Provide(fx.Annotate(
		func(cfg Config, queue ports.Queue, log *slog.Logger, all []Work) (*Pool, error) {
			for _, work := range all {
				limited := work.in(cfg)
				queue.LimitLeases(work.Kind, limited.PerSchool, max(1, limited.Count/2)) // so that other schools can get a worker
			}
			return New(cfg, queue, log, all...)
		},
		fx.ParamTags("", "", "", `group:"work"`),
	)),
	fx.Invoke(func(lc fx.Lifecycle, p *Pool) {
		lc.Append(fx.StopHook(func(ctx context.Context) error { return p.Stop(ctx) }))
	}),
)
