package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"lyceum/adapters/files"
	"lyceum/adapters/postgres/migrations"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/cmd/server"
)

// maxClockDifference is the difference between the clocks of the server and the database above
// which doctor warns. Each server decides by its own clock whether a job is due or a key has
// expired.
const maxClockDifference = time.Second

func checkDatabase(ctx context.Context, d *diagnosis, cfg server.Config) {
	if cfg.Store != server.Postgres {
		d.ok("database", "not used, because store is %s", cfg.Store)
		return
	}
	cfg.Postgres.OneAttempt = true
	db, err := pgdb.Open(ctx, cfg.Postgres)
	if err != nil {
		d.failure("database", err)
		return
	}
	defer func() { _ = db.Close() }()
	before := time.Now()
	info, err := db.Info(ctx)
	after := time.Now()
	if err == nil {
		err = db.Writable(ctx)
	}
	if err != nil {
		d.failure("database", err)
		return
	}
	d.ok("database", "PostgreSQL %s accepts writes", info.Version)
	checkReplicas(ctx, d, db)
	d.report("schema", d.withCure(migrations.Check(ctx, db)), "up to date")
	if difference := info.ClockDifference(before, after); difference > maxClockDifference {
		d.warn("clock", "differs from the clock of the database by %s", difference.Round(time.Millisecond))
		return
	}
	d.ok("clock", "agrees with the clock of the database")
}

// checkReplicas tries each replica. In a cluster, one of the addresses is that of the primary.
func checkReplicas(ctx context.Context, d *diagnosis, db *pgdb.DB) {
	for _, r := range db.Replicas().All() {
		replays, err := r.Check(ctx)
		if err == nil && !replays {
			d.ok("replica", "%s is a primary now, and serves no reads as a replica", r.Name)
			continue
		}
		if err != nil {
			err = fmt.Errorf("database.replica-urls: %s: %w", r.Name, err)
		}
		d.report("replica", err, "%s replays the changes of a primary", r.Name)
	}
}

func checkFolder(ctx context.Context, d *diagnosis, cfg server.Config) {
	dir := cfg.Files.Dir
	if dir == "" {
		d.ok("files", "kept in memory")
		return
	}
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		d.warn("files", "%s does not exist; %s serve creates it", dir, d.program)
		return
	}
	folder, err := files.OpenFolder(dir)
	if err != nil {
		d.failure("files", err)
		return
	}
	err = errors.Join(folder.Ready(ctx), folder.Close())
	if err != nil {
		err = fmt.Errorf("files.dir: %w", err)
	}
	d.report("files", err, "%s is readable and writable", dir)
}
