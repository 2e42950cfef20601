package server

import (
	"context"
	"log/slog"
	"sync"

	"go.uber.org/fx"
	"lyceum/adapters/httpapi/transport"
	"lyceum/adapters/mail"
	"lyceum/adapters/worker"
	"lyceum/app"
	"lyceum/domain/bulk"
	"lyceum/domain/invitation"
	"lyceum/ports"
)

// work is what goes on behind the requests. Its pool stops after the transport,
// so that it does what the last requests ask for, and is started by started.
func work(cfg Config) fx.Option {
	return fx.Options(
		fx.Supply(cfg.Worker),
		fx.Provide(
			letters,
			fx.Annotate(invitations, fx.ResultTags(`group:"work"`)),
			fx.Annotate(bulkRequests, fx.ResultTags(`group:"work"`)),
			fx.Annotate(removals, fx.ResultTags(`group:"work"`)),
			fx.Annotate(sweeps, fx.ResultTags(`group:"work"`)),
			fx.Annotate(discards, fx.ResultTags(`group:"work"`)),
		),
		fx.Decorate(func(q ports.Queue, log *slog.Logger) ports.Queue { return worker.Keep(q, log) }),
		mail.Module,
		worker.Module,
	)
}

// started begins the work. It stands behind the transport, because letters lead
// to an address that may be known only when the server listens.
var started = fx.Module("started", fx.Invoke(takeBack), fx.Invoke(func(lc fx.Lifecycle, p *worker.Pool) {
	lc.Append(fx.StartHook(p.Start))
}))

// takeBack takes the leases of the server's earlier runs back, beside the start.
func takeBack(lc fx.Lifecycle, cfg Config, q ports.Queue, clock ports.Clock, log *slog.Logger) {
	ctx, cancel := context.WithCancel(context.Background())
	var ended sync.WaitGroup
	lc.Append(fx.StartStopHook(
		func() { ended.Go(func() { worker.TakeBack(ctx, q, clock, cfg.Worker.Poll, log) }) },
		func() { cancel(); ended.Wait() },
	))
}

func invitations(cfg Config, a *app.App) worker.Work {
	a.Invitations.HoldFor(cfg.InvitationLifetime)
	a.Invitations.Limit(invitation.Limits{PerDay: cfg.InvitationsPerDay})
	return worker.Work{Kind: invitation.Kind, Next: a.Invitations.DeliverNext}
}

func bulkRequests(a *app.App) worker.Work {
	return worker.Work{Kind: bulk.JobKind, Next: a.Bulk.ApplyNext}
}

// sweeps is the removal of recorded responses and deliveries that have expired. No job asks for
// it: workers look from time to time.
func sweeps(a *app.App) worker.Work {
	return worker.Work{Kind: "sweep", Next: func(ctx context.Context) (bool, error) {
		responses, err := a.Repeats.Sweep(ctx)
		if err != nil {
			return false, err
		}
		deliveries, err := a.Invitations.Sweep(ctx)
		return responses || deliveries, err
	}}
}

// letters returns the configuration of letters that lead to where s listens,
// unless they are told otherwise.
func letters(cfg Config, s *transport.Server) mail.Config {
	c := cfg.Mail
	c.Link = func(token string) string { return linksOn(s.URL(), cfg.Links).Invitation(token) }
	return c
}
