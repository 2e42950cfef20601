package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"lyceum/adapters/clock"
	"lyceum/adapters/files"
	"lyceum/adapters/mail"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/migrations"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/app"
	"lyceum/cmd/server"
	"lyceum/ports"
)

// open opens the database. For --store=memory it returns an error that names the command.
func (s storeSettings) open(ctx context.Context, command string) (*pgdb.DB, error) {
	cfg := server.Defaults()
	var r settingsParser
	s.read(&r, &cfg)
	if err := r.with(cfg); err != nil {
		return nil, err
	}
	if cfg.Store != server.Postgres {
		return nil, fmt.Errorf("%s: requires --store=postgres (--store=%s keeps no data; serve --demo has a school to try)", command, cfg.Store)
	}
	return pgdb.Open(ctx, cfg.Postgres)
}

// withApp opens the database and calls work with the use cases. Use cases that need submitted files
// return an error.
func (s storeSettings) withApp(ctx context.Context, t terminal, command string, work func(*app.App) error) error {
	return s.onStore(ctx, t, command, func(store *postgres.Store) error { return work(t.newApp(store, noFiles{})) })
}

// onStore opens the database and calls work with its store if the schema is up to date.
func (s storeSettings) onStore(ctx context.Context, t terminal, command string, work func(*postgres.Store) error) (err error) {
	db, err := s.open(ctx, command)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := migrations.Check(ctx, db); err != nil {
		return t.withCure(err)
	}
	return work(postgres.New(db))
}

// withFiles is like withApp, but for commands that need submitted files.
func (s storeSettings) withFiles(
	ctx context.Context, t terminal, command string, folder folderSettings, work func(*app.App) error,
) error {
	return s.onStore(ctx, t, command, func(store *postgres.Store) (err error) {
		dir := folder.Dir
		if dir == "" {
			dir = filesFolder
		}
		kept, err := files.OpenFolder(dir)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, kept.Close()) }()
		return work(t.newApp(store, kept))
	})
}

// newApp returns the use cases for commands. They send no emails.
func (t terminal) newApp(store *postgres.Store, kept ports.Files) *app.App {
	sender := mail.NewLogger(slog.New(slog.DiscardHandler))
	a := app.New(t.extension.Store(store), store.Schools(), store.Queue(), kept, sender, clock.NewSystem(), clock.NewRandom())
	t.extension.ApplyPolicies(a)
	return a
}

// withCure adds to err what the operator must do, if err means that the schema has another version.
func (t terminal) withCure(err error) error {
	switch {
	case errors.Is(err, migrations.ErrPending):
		return fmt.Errorf("%w: run %s migrate", err, t.program)
	case errors.Is(err, migrations.ErrNewer):
		return fmt.Errorf("%w: install the release of %s that migrated it, or a newer one", err, t.program)
	}
	return err
}
