package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"lyceum/adapters/demo"
	"lyceum/cmd/server"
)

type serveCmd struct {
	Demo bool     `xor:"schools" help:"Load the demo school, whose API key is public. Requires --store=memory and a loopback address. Cannot be combined with --load."`
	Load []string `xor:"schools" placeholder:"FILE" sep:"none" help:"Load a school from a .jsonl file, such as an export. Can be repeated. Requires --store=memory. Cannot be combined with --demo."`

	Server    serverSettings     `embed:"" prefix:"server." group:"listen"`
	Listen    listenSettings     `embed:"" group:"listen"`
	Links     linkSettings       `embed:"" group:"links"`
	Pages     pageSettings       `embed:"" prefix:"pages." group:"pages"`
	Docs      responseSettings   `embed:"" group:"listen"`
	Store     storeSettings      `embed:"" group:"store"`
	Migration migrationSettings  `embed:"" group:"store"`
	Files     fileSettings       `embed:"" prefix:"files." group:"store"`
	Admission admissionSettings  `embed:"" prefix:"admission." group:"admission"`
	Rates     rateSettings       `embed:"" prefix:"rates." group:"rates"`
	Quotas    quotaSettings      `embed:"" prefix:"quotas." group:"quotas"`
	Mail      mailSettings       `embed:"" prefix:"mail." group:"mail"`
	Invited   invitationSettings `embed:"" prefix:"invitations." group:"mail"`
	Worker    workerSettings     `embed:"" prefix:"worker." group:"worker"`
	Log       logSettings        `embed:"" prefix:"log." group:"log"`
	Metrics   metricsSettings    `embed:"" prefix:"metrics." group:"metrics"`
	Shutdown  shutdownSettings   `embed:"" prefix:"shutdown." group:"shutdown"`
}

// Run serves until ctx ends or the server fails.
func (c *serveCmd) Run(ctx context.Context, t terminal) error {
	cfg, err := c.config(t.err)
	if err != nil {
		return err
	}
	files, err := c.schools(cfg)
	if err != nil {
		return err
	}
	if len(files) == 0 && cfg.Store == server.Memory {
		files = []schoolFile{newSchool}
	}
	cfg.Extension = t.extension
	server.TuneGC(cfg.Store)
	srv, err := server.New(cfg)
	if err != nil {
		return withCure(err)
	}
	loaded, err := load(ctx, srv.App(), files)
	if err != nil {
		return err
	}
	if err := srv.Start(ctx); err != nil {
		return err
	}
	printBanner(t.out, cfg, srv, loaded)
	if err := warnWithoutSchool(ctx, t.out, srv.App()); err != nil {
		return errors.Join(err, srv.Stop())
	}
	select {
	case <-ctx.Done():
		cfg.Log.Info("stopping")
	case err = <-srv.Failed():
	}
	return errors.Join(err, srv.Stop())
}

// config returns the server's configuration, or the errors of all settings.
func (c *serveCmd) config(logTo io.Writer) (server.Config, error) {
	var r settingsParser
	cfg := server.Defaults()
	cfg.Name = c.Server.Name
	c.Listen.read(&r, &cfg.Transport)
	cfg.Links = c.Links.read()
	c.Pages.read(&cfg)
	c.Docs.read(&r, &cfg)
	c.Store.read(&r, &cfg)
	c.Migration.read(&r, &cfg)
	c.Files.read(&r, &cfg)
	c.Admission.read(&r, &cfg.Admission)
	c.Rates.read(&r, &cfg.Rates)
	c.Quotas.read(&r, &cfg.Quotas)
	c.Mail.read(&r, &cfg.Mail)
	r.duration("invitations.lifetime", c.Invited.Lifetime, &cfg.InvitationLifetime)
	if c.Invited.PerDay == "0" {
		cfg.InvitationsPerDay = 0
	} else {
		r.count("invitations.per-day", c.Invited.PerDay, &cfg.InvitationsPerDay)
	}
	c.Worker.read(&r, &cfg.Worker)
	cfg.Log = c.Log.read(&r, logTo)
	c.Metrics.read(&r, &cfg)
	cfg.LogClients = r.toggle("log.clients", c.Log.Clients)
	cfg.LocalOnly = c.Demo
	if c.Demo {
		cfg.DemoKey = demo.Key
	}
	c.Shutdown.read(&r, &cfg.Transport)
	return cfg, r.with(cfg)
}

// printBanner prints the addresses of the server. It does not use the log, so that no log level
// hides them.
func printBanner(w io.Writer, cfg server.Config, srv *server.Server, schools []loaded) {
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format+"\n", args...) }
	say("Listening on %s", srv.URL())
	if cfg.Reference {
		say("API reference: %s/docs", srv.URL())
	}
	if f := srv.Fingerprint(); f != "" {
		say("Certificate SHA-256 fingerprint: %s", f)
	}
	if cfg.Store == server.Memory {
		say("IN-MEMORY STORE: all data is lost when the server stops.")
	}
	for _, line := range warnings(cfg) {
		say("WARNING: %s", line)
	}
	for _, s := range schools {
		s.printBanner(say, cfg, srv.URL())
	}
	cfg.Log.Info("listening", slog.String("url", srv.URL()), slog.String("store", string(cfg.Store)),
		slog.String("tls", string(cfg.Transport.Mode)))
}
