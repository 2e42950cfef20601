package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// ErrPending says that the schema waits for Migrate.
var ErrPending = errors.New("the database's schema is not up to date")

// ErrNewer says that the schema was migrated by a newer release of this program.
var ErrNewer = errors.New("the database's schema is newer than this program")

const (
	isVersioned     = `SELECT to_regclass('goose_db_version') IS NOT NULL`
	appliedVersions = `SELECT DISTINCT version_id FROM goose_db_version WHERE is_applied AND version_id > 0`
)

// CheckSchema returns nil if the schema is the one that this program was made
// for; else an ErrPending or an ErrNewer that names the versions of both.
func CheckSchema(ctx context.Context, db *DB) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	return checkSchema(ctx, db, files)
}

func checkSchema(ctx context.Context, db *DB, files fs.FS) error {
	known, err := versions(files)
	if err != nil {
		return err
	}
	applied, err := db.applied(ctx)
	if err != nil {
		return translate(ctx, fmt.Errorf("read the version of the schema: %w", err))
	}
	newest := known[len(known)-1]
	switch {
	case len(applied) == 0:
		return fmt.Errorf("%w: the database has no schema, this program needs version %d", ErrPending, newest)
	case slices.Max(applied) > newest:
		return fmt.Errorf("%w: the schema has version %d, this program needs version %d", ErrNewer, slices.Max(applied), newest)
	}
	for _, v := range known {
		if !slices.Contains(applied, v) {
			return fmt.Errorf("%w: the schema has version %d, this program needs version %d", ErrPending, slices.Max(applied), newest)
		}
	}
	return nil
}

// applied returns the versions of the migrations that the database has, in no
// order.
func (db *DB) applied(ctx context.Context) (versions []int64, err error) {
	var versioned bool
	if err := db.pool.GetContext(ctx, &versioned, isVersioned); err != nil || !versioned {
		return nil, err
	}
	err = db.pool.SelectContext(ctx, &versions, appliedVersions)
	return versions, err
}

// versions returns the versions of the migrations in files in ascending order;
// there is at least one.
func versions(files fs.FS) ([]int64, error) {
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return nil, err
	}
	var all []int64
	for _, name := range names {
		number, _, _ := strings.Cut(name, "_")
		v, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("the migration %s does not begin with a number", name)
		}
		all = append(all, v)
	}
	if len(all) == 0 {
		return nil, errors.New("there are no migrations")
	}
	slices.Sort(all)
	return all, nil
}
