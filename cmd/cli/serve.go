package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"lyceum/adapters/demo"
	"lyceum/adapters/web"
	"lyceum/cmd/server"
	"lyceum/domain/signin"
)

type serveCmd struct {
	Demo bool     `xor:"schools" help:"Load the demo school, whose API key is public. Requires --store=memory and a loopback address. Cannot be combined with --load."`
	Load []string `xor:"schools" placeholder:"FILE" sep:"none" help:"Load a school from a .jsonl file, such as an export. Can be repeated. Requires --store=memory. Cannot be combined with --demo."`

	settings
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
	redirectStandardLog(cfg.Log)
	srv, err := server.New(cfg)
	if err != nil {
		return t.withCure(err)
	}
	server.AddThreads(cfg.Store, os.Getenv("GOMAXPROCS"))
	loaded, err := load(ctx, srv.App(), files)
	if err != nil {
		return err
	}
	if err := srv.Start(ctx); err != nil {
		return err
	}
	printBanner(t.out, cfg, srv, loaded)
	if err := t.warnWithoutSchool(ctx, srv.App(), srv.URL()); err != nil {
		return errors.Join(err, srv.Stop())
	}
	select {
	case <-ctx.Done():
		cfg.Log.Info("stopping")
	case err = <-srv.Failed():
	}
	return errors.Join(err, srv.Stop())
}

// config returns the server's configuration, or the errors of all invalid settings.
func (c *serveCmd) config(logTo io.Writer) (server.Config, error) {
	var r settingsParser
	cfg := c.read(&r, logTo)
	cfg.LocalOnly = c.Demo
	if c.Demo {
		cfg.DemoKey, cfg.DemoSlug = demo.Key, demo.Slug
		for _, v := range demo.Visitors() {
			cfg.Demo = append(cfg.Demo, web.DemoPerson{School: demo.SchoolID, Role: v.Role, Email: v.Email})
		}
	}
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
	if cfg.Academy {
		sayDemoLinks(say, cfg, srv)
	}
	cfg.Log.Info("listening", slog.String("url", srv.URL()), slog.String("store", string(cfg.Store)),
		slog.String("tls", string(cfg.Transport.Mode)))
}

// sayDemoLinks prints a sign-in link for each role of the demo school. The home page of the server
// has buttons for the same roles, which do not expire.
func sayDemoLinks(say func(string, ...any), cfg server.Config, srv *server.Server) {
	for _, p := range cfg.Demo {
		if token, err := srv.App().SignIns.CreateLink(context.Background(), p.School, p.Email); err == nil {
			say("Sign in as %s (once, within %.0f minutes): %s", p.Role, signin.LinkLifetime.Minutes(), srv.Links().SignIn(cfg.DemoSlug, token))
		}
	}
	if len(cfg.Demo) > 0 {
		say("Enter the academy with a click: %s", srv.URL())
	}
}
