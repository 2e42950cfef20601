package cli

import (
	"context"
	"errors"
	"fmt"

	"lyceum/adapters/postgres/migrations"
)

type migrateCmd struct {
	Status bool `help:"Report pending migrations without applying them. Exit with status 1 if there are any."`

	Settings storeSettings `embed:"" group:"store"`
	Log      logSettings   `embed:"" prefix:"log." group:"log"`
}

func (c *migrateCmd) interrupted() string {
	return "completed migrations remain applied; run the command again"
}

// Run applies the pending migrations, or only checks for them.
func (c *migrateCmd) Run(ctx context.Context, t terminal) (err error) {
	var r settingsParser
	log := c.Log.read(&r, t.err)
	if err := errors.Join(r.errs...); err != nil {
		return err
	}
	db, err := c.Settings.open(ctx, "migrate")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if !c.Status {
		if err := migrations.Apply(ctx, db, log); err != nil {
			return t.withCure(err)
		}
	}
	if err := migrations.Check(ctx, db); err != nil {
		return t.withCure(err)
	}
	_, err = fmt.Fprintln(t.out, "The database schema is up to date.")
	return err
}
