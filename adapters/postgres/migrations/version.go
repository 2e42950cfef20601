package migrations

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"lyceum/adapters/postgres/pgdb"
)

// ErrPending means that the schema is older than this program needs and must be migrated.
var ErrPending = errors.New("the database schema is not up to date")

// ErrNewer means that a newer release of this program has migrated the schema.
var ErrNewer = errors.New("the database schema is newer than this program")

const (
	isVersioned    = `SELECT to_regclass('goose_db_version') IS NOT NULL`
	appliedVersion = `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`
)

// Check returns nil if the schema has the version that this program needs. Otherwise the error is
// an ErrPending or an ErrNewer that contains both versions.
func Check(ctx context.Context, db *pgdb.DB) error { return check(ctx, db, Files()) }

func check(ctx context.Context, db *pgdb.DB, files fs.FS) error {
	needed, err := newestVersion(files)
	if err != nil {
		return err
	}
	applied, err := currentVersion(ctx, db)
	if err != nil {
		return pgdb.Translate(ctx, fmt.Errorf("read the version of the schema: %w", err))
	}
	switch {
	case applied == 0:
		return fmt.Errorf("%w: the database has no schema; this program needs version %d", ErrPending, needed)
	case applied > needed:
		return fmt.Errorf("%w: it has version %d; this program needs version %d", ErrNewer, applied, needed)
	case applied < needed:
		return fmt.Errorf("%w: it has version %d; this program needs version %d", ErrPending, applied, needed)
	}
	return nil
}

// currentVersion returns the version of the last applied migration, or 0 if none is applied.
func currentVersion(ctx context.Context, db *pgdb.DB) (version int64, err error) {
	var versioned bool
	if err := db.Pool().GetContext(ctx, &versioned, isVersioned); err != nil || !versioned {
		return 0, err
	}
	err = db.Pool().GetContext(ctx, &version, appliedVersion)
	return version, err
}

// newestVersion returns the version of the last migration in files.
func newestVersion(files fs.FS) (version int64, err error) {
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
