package server

import (
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"go.uber.org/fx"
	"go.uber.org/fx/fxevent"
	"lyceum/adapters/clock"
	"lyceum/adapters/files"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/httpapi/downloads"
	"lyceum/adapters/httpapi/transport"
	"lyceum/adapters/memory"
	"lyceum/adapters/postgres"
	"lyceum/adapters/telemetry"
	"lyceum/app"
	"lyceum/ports"
)

// Options returns the fx options of a server. An fx application with these options serves requests
// from its start to its stop. If cfg is invalid, the application cannot start.
func Options(cfg Config) fx.Option {
	if err := cfg.Validate(); err != nil {
		return fx.Error(err)
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	cfg.Transport.Names = append(cfg.Transport.Names, hostsOf(cfg.Links)...)
	return fx.Options(
		fx.WithLogger(debugLogger),
		fx.Supply(cfg, cfg.Log, cfg.Transport),
		fx.Invoke(traces), // stops last
		storeOf(cfg),
		fx.Supply(cfg.Files),
		files.Module,
		clock.Module,
		app.Module,
		fx.Invoke(func(a *app.App) {
			a.SetQuotas(cfg.Quotas)
			a.SetServerSecret(cfg.secret())
			a.Changes.KeepFor(time.Duration(cfg.ChangeDays) * day)
			a.Webhooks.KeepFor(time.Duration(cfg.WebhookDays) * day)
			a.Bulk.KeepFor(time.Duration(cfg.BulkDays) * day)
			a.Jobs.KeepFor(time.Duration(cfg.JobDays) * day)
			a.Idempotency.KeepFor(time.Duration(cfg.ReplayHours) * time.Hour)
			a.Audit.KeepFor(AuditRetention(cfg.AuditDays, cfg.ChangeDays))
		}),
		cfg.Extension.parts(),
		fx.Invoke(func(a *app.App, clock ports.Clock) { a.SignIns.SetProviders(providers(cfg, clock)) }),
		fx.Provide(newWebhookTurns),
		fx.Invoke(sendWebhooks),
		background(cfg),
		metrics(cfg),
		fx.Provide(handler),
		transport.Module,
		startWorkers,
	)
}

func storeOf(cfg Config) fx.Option {
	if cfg.Store == Postgres {
		cfg.Postgres.Server = cfg.name()
		return fx.Options(fx.Supply(cfg.Postgres), postgres.Module)
	}
	return memory.Module
}

// handler returns a function that creates the API for the transport s.
func handler(
	cfg Config, a *app.App, s *transport.Server, clock ports.Clock, m *telemetry.Metrics, log *slog.Logger, of database,
) transport.HandlerFunc {
	var client func(*http.Request) netip.Addr
	if cfg.LogClients {
		client = s.Client
	}
	return func(url string) (http.Handler, error) {
		links, shared := linksOn(url, cfg.Links), &sharedLimits{}
		pages, teachingApp := academy(cfg, a, links, shared, log)
		api := httpapi.New(a, httpapi.Config{
			Links:         links,
			Academy:       pages,
			Teaching:      teachingApp,
			DemoRoles:     demoRoles(cfg),
			DemoEntry:     links.Start(cfg.DemoSlug) + "/demo",
			NoCompression: !cfg.Compression,
			Transport:     s.Answerable,
			Draining:      s.Draining,
			Observe:       m.Request,
			Client:        client,
			LocalOnly:     cfg.LocalOnly,
			Origins:       cfg.Origins,
			Look:          cfg.Look, Begin: cfg.Links.Academy,
			DemoKey:     cfg.DemoKey,
			NoReference: !cfg.Reference,
			UploadLimit: cfg.Files.MaxSize,
			Downloads:   downloads.Config{Secret: []byte(cfg.Files.Secret), Now: clock.Now},
			Admission:   cfg.admission(),
			Rates:       cfg.Rates,
			Address:     s.Client,
			Reads:       replicaReads(cfg, of),
		}, log)
		shared.API = api
		a.Webhooks.SetDocuments(api.ChangeDocument)
		m.Admission(api.Admission)
		m.RateLimits(api.RateLimited)
		m.Connections(func() telemetry.Connections { return telemetry.Connections(s.Connections()) })
		if cfg.Extension.reactInRequests {
			return reactBeforeResponse(a, api, log), nil
		}
		return api, nil
	}
}

// debugLogger logs the events of fx at the debug level.
func debugLogger(log *slog.Logger) fxevent.Logger {
	l := &fxevent.SlogLogger{Logger: log}
	l.UseLogLevel(slog.LevelDebug)
	l.UseErrorLevel(slog.LevelDebug) // the caller reports the error
	return l
}
