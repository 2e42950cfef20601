package worker

import (
	"context"
	"log/slog"

	"go.uber.org/fx"
	"lyceum/ports"
)

// Module provides a Pool on the Config that it is given, beside a ports.Queue
// and a *slog.Logger, for every Work of the group "work". The pool stops with the
// application; who assembles it calls Start, when all that the work needs has
// started.
var Module = fx.Module("worker",
	fx.Provide(fx.Annotate(
		func(cfg Config, queue ports.Queue, log *slog.Logger, all []Work) (*Pool, error) {
			return New(cfg, queue, log, all...)
		},
		fx.ParamTags("", "", "", `group:"work"`),
	)),
	fx.Invoke(func(lc fx.Lifecycle, p *Pool) {
		lc.Append(fx.StopHook(func(ctx context.Context) error { return p.Stop(ctx) }))
	}),
)
