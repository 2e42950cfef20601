package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"lyceum/adapters/postgres/pgdb"
)

// ErrPending says that the schema waits for Migrate.
var ErrPending = errors.New("the database's schema is not up to date")

// ErrNewer says that the schema was migrated by a newer release of this program.
var ErrNewer = errors.New("the database's schema is newer than this program")

const (
	isVersioned    = `SELECT to_regclass('goose_db_version') IS NOT NULL`
	appliedVersion = `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`
)

// CheckSchema returns nil if the schema is the one that this program was made
// for; else an ErrPending or an ErrNewer that names the versions of both.
func CheckSchema(ctx context.Context, db *pgdb.DB) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	return checkSchema(ctx, db, files)
}

func checkSchema(ctx context.Context, db *pgdb.DB, files fs.FS) error {
	needed, err := newest(files)
	if err != nil {
		return err
	}
	applied, err := appliedBy(ctx, db)
	if err != nil {
		return pgdb.Translate(ctx, fmt.Errorf("read the version of the schema: %w", err))
	}
	switch {
	case applied == 0:
		return fmt.Errorf("%w: the database has no schema, this program needs version %d", ErrPending, needed)
	case applied > needed:
		return fmt.Errorf("%w: the schema has version %d, this program needs version %d", ErrNewer, applied, needed)
	case applied < needed:
		return fmt.Errorf("%w: the schema has version %d, this program needs version %d", ErrPending, applied, needed)
	}
	return nil
}

// appliedBy returns the version of the last migration that the database has, and 0
// if it has none.
func appliedBy(ctx context.Context, db *pgdb.DB) (version int64, err error) {
	var versioned bool
	if err := db.Pool.GetContext(ctx, &versioned, isVersioned); err != nil || !versioned {
		return 0, err
	}
	err = db.Pool.GetContext(ctx, &version, appliedVersion)
	return version, err
}

// newest returns the version of the last migration in files.
func newest(files fs.FS) (version int64, err error) {
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		number, _, _ := strings.Cut(name, "_")
		v, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("the name of the migration %s does not begin with a number", name)
		}
		version = max(version, v)
	}
	return version, nil
}
