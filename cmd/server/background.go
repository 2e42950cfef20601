package server

import (
	"context"
	"log/slog"
	"sync"

	"go.uber.org/fx"
	"lyceum/adapters/httpapi/transport"
	"lyceum/adapters/mail"
	"lyceum/adapters/redact"
	"lyceum/adapters/telemetry"
	"lyceum/adapters/worker"
	"lyceum/app"
	appbulk "lyceum/app/bulk"
	"lyceum/domain/bulk"
	"lyceum/domain/invitation"
	"lyceum/domain/signin"
	"lyceum/ports"
)

// background returns the fx option that provides the workers for background jobs. The pool stops
// after the transport, so that it runs the jobs of the last requests.
func background(cfg Config) fx.Option {
	return fx.Options(
		fx.Supply(cfg.Worker),
		fx.Provide(
			mailConfig,
			fx.Annotate(invitations, fx.ResultTags(`group:"work"`)),
			fx.Annotate(signIns, fx.ResultTags(`group:"work,flatten"`)),
			fx.Annotate(bulkRequests, fx.ResultTags(`group:"work"`)),
			fx.Annotate(removals, fx.ResultTags(`group:"work"`)),
			fx.Annotate(expirations, fx.ResultTags(`group:"work"`)),
			fx.Annotate(fileCleanup, fx.ResultTags(`group:"work"`)),
			fx.Annotate(webhookDelivery, fx.ResultTags(`group:"work"`)),
			fx.Annotate(followerWorks, fx.ResultTags(`group:"work,flatten"`)),
		),
		fx.Decorate(func(q ports.Queue, m *telemetry.Metrics, log *slog.Logger) ports.Queue {
			return worker.NewLoggedQueue(m.CountJobs(q), log)
		}),
		mail.Module,
		worker.Module,
	)
}

// startWorkers starts the pool after the transport, because invitation links contain the listener's
// address, which may not be known before.
var startWorkers = fx.Module("started", fx.Invoke(releaseLeases, startFollowers), fx.Invoke(func(lc fx.Lifecycle, p *worker.Pool) {
	lc.Append(fx.StartHook(p.Start))
}))

// releaseLeases releases the leases of earlier runs of this server in the background.
func releaseLeases(lc fx.Lifecycle, cfg Config, q ports.Queue, clock ports.Clock, log *slog.Logger) {
	ctx, cancel := context.WithCancel(context.Background())
	var ended sync.WaitGroup
	lc.Append(fx.StartStopHook(
		func() { ended.Go(func() { worker.ReleaseLeases(ctx, q, clock, cfg.Worker.Poll, log) }) },
		func() { cancel(); ended.Wait() },
	))
}

// mailWorkers is the number of invitation emails, of sign-in emails to people, and of sign-in emails
// to strangers, that a server sends at the same time. emailsPerSchool is how many of them belong to
// one school, and strangerEmailsPerSchool how many of those to strangers. Workers mostly wait for
// the mail server, which can take half a minute for some recipients, so that a few schools with such
// recipients must not occupy all workers: while half of them work, a school gets one at most.
const (
	mailWorkers             = 16
	emailsPerSchool         = 2
	strangerEmailsPerSchool = 1
)

func invitations(cfg Config, a *app.App) worker.Work {
	a.InvitationDelivery.SetLinkLifetime(cfg.InvitationLifetime)
	a.InvitationDelivery.Limit(invitation.Limits{PerDay: cfg.InvitationsPerDay})
	return worker.Work{Kind: invitation.Kind, Next: a.InvitationDelivery.DeliverNext, Count: mailWorkers, PerSchool: emailsPerSchool}
}

// signIns returns the works that send sign-in emails to people and to strangers. A stranger can
// request many emails to slow recipients, behind which people must not wait.
func signIns(a *app.App, s ports.SignInSender) []worker.Work {
	d := a.SignInDelivery
	d.SetSender(s)
	return []worker.Work{
		{Kind: signin.Kind, Next: d.DeliverNext, Count: mailWorkers, PerSchool: emailsPerSchool},
		{Kind: signin.StrangerKind, Next: d.DeliverNextToStranger, Count: mailWorkers, PerSchool: strangerEmailsPerSchool},
	}
}

// bulkRequests returns the worker.Work that applies bulk requests. It logs the reasons why rows
// failed with a defect, because clients see only fault.DefectDetail.
func bulkRequests(a *app.App, log *slog.Logger) worker.Work {
	a.Bulk.OnDefect(func(ctx context.Context, d appbulk.Defect) {
		log.ErrorContext(ctx, "bulk row failed", "job", d.Job.ID.String(), "school_id", d.Job.School.String(), "row", d.Row,
			"error", redact.Text(d.Err.Error()))
	})
	return worker.Work{Kind: bulk.JobKind, Next: a.Bulk.ApplyNext}
}

// mailConfig returns cfg.Mail with the functions that build invitation links and sign-in links. The
// links start with the configured base URLs or with the address of s.
func mailConfig(cfg Config, s *transport.Server) mail.Config {
	c := cfg.Mail
	c.Link = func(token string) string { return linksOn(s.URL(), cfg.Links).Invitation(token) }
	c.SignInLink = func(slug, token string) string { return linksOn(s.URL(), cfg.Links).SignIn(slug, token) }
	return c
}
