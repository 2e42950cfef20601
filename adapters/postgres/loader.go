package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"lyceum/adapters/postgres/derived"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/ports"
)

var _ ports.Loader = (*Store)(nil)

// triggersOff turns off the triggers that compute derived data.
const triggersOff = `SELECT set_config('lyceum.counting', 'off', true)`

// lockSchoolName serializes transactions that give a school the name with the key $1.
const lockSchoolName = `SELECT pg_advisory_xact_lock(hashtextextended('lyceum school ' || $1, 0))`

const (
	compareSchool = `SELECT EXISTS (SELECT FROM schools WHERE slug = $1 AND id <> $3) AS slug_taken,
		EXISTS (SELECT FROM schools WHERE name <> $2 AND id = $3) AS renamed`
	otherNames = `SELECT name FROM schools WHERE id <> $1`
)

// analyzeThreshold is the number of loaded rows from which analyze updates the planner's
// statistics.
const analyzeThreshold = 10_000

// Load implements ports.Loader. It runs in one transaction on a separate connection without a
// statement timeout.
func (s *Store) Load(ctx context.Context, id school.ID, fn func(ctx context.Context, l ports.LoadTx) error) error {
	if err := s.checkOutsideTx(ctx, id); err != nil {
		return &ports.NotSavedError{Err: err}
	}
	return s.loadApart(ctx, id, fn)
}

// LoadNewSchool implements ports.Loader.
func (s *Store) LoadNewSchool(ctx context.Context, made school.School, fn func(ctx context.Context, l ports.LoadTx) error) error {
	if err := pgdb.NotInside(ctx); err != nil {
		return &ports.NotSavedError{Err: err}
	}
	return s.loadApart(ctx, made.State().ID, func(ctx context.Context, l ports.LoadTx) error {
		c := l.(*loadTx).session
		if _, err := c.Exec(ctx, lockSchoolName, school.NameKey(made.State().Name)); err != nil {
			return loadError(ctx, err)
		}
		if err := (schools{c}).add(ctx, made); err != nil {
			return loadError(ctx, err)
		}
		return fn(ctx, l)
	})
}

// loadApart runs fn in a bulk load of the school on a separate connection.
func (s *Store) loadApart(ctx context.Context, id school.ID, fn func(ctx context.Context, l ports.LoadTx) error) error {
	conn := s.db.OpenBulk()
	err := s.loadOn(ctx, conn, id, fn)
	return errors.Join(err, conn.Close())
}

func (s *Store) loadOn(
	ctx context.Context, conn *sqlx.DB, id school.ID, fn func(ctx context.Context, l ports.LoadTx) error,
) error {
	tx, err := conn.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		return &ports.NotSavedError{Err: loadError(ctx, err)}
	}
	defer func() { _ = tx.Rollback() }() // does nothing after the commit
	l := newLoadTx(s, id, tx)
	if err := l.run(ctx, fn); err != nil {
		return &ports.NotSavedError{Err: err}
	}
	if err := tx.Commit(); err != nil {
		return loadError(ctx, err)
	}
	l.analyze(ctx, conn)
	l.NotifyAdded()
	return nil
}

// run does everything of a bulk load before the commit.
func (l *loadTx) run(ctx context.Context, fn func(ctx context.Context, l ports.LoadTx) error) error {
	for _, setting := range []string{triggersOff, pgdb.AverageSchool} {
		if _, err := l.tx.ExecContext(ctx, setting); err != nil {
			return loadError(ctx, err)
		}
	}
	err := errors.Join(fn(pgdb.WithinTx(ctx), l), l.failed)
	if lost := l.Conflicted(); lost != nil { // a load is not retried
		return lost
	}
	if err != nil {
		return err
	}
	return loadError(ctx, l.finish(ctx))
}

// analyze updates the planner's statistics and the visibility map of the tables after a large load.
// Autovacuum would do so later, but until then the planner would assume that a school with a
// million rows has a few hundred. analyze ignores failures, because autovacuum repeats the work.
func (l *loadTx) analyze(ctx context.Context, conn *sqlx.DB) {
	total := 0
	for _, n := range l.rows {
		total += n
	}
	if total < analyzeThreshold {
		return
	}
	tables := append(slices.Collect(maps.Keys(l.rows)), "course_analytics_rows", "quiz_scores")
	for _, table := range tables {
		_, _ = conn.ExecContext(ctx, "VACUUM (ANALYZE) "+pq.QuoteIdentifier(table))
	}
}

// finish computes the derived data from the rows of the load.
func (l *loadTx) finish(ctx context.Context) error {
	for _, statement := range derived.LoadStatements() {
		if _, err := l.tx.ExecContext(ctx, statement, l.SchoolID); err != nil {
			return err
		}
	}
	return l.endFeed(ctx)
}

// loadError translates an error of a transaction that cannot be retried.
func loadError(ctx context.Context, err error) error {
	if pq.As(err, pqerror.UniqueViolation) != nil {
		return fmt.Errorf("%w: %v", ports.ErrExists, err) //lint:ignore errorlint the driver's error is not for callers
	}
	err = pgdb.Translate(ctx, err)
	var lost *pgdb.ConflictError
	if errors.As(err, &lost) {
		return pgdb.Unavailable(lost.Cause)
	}
	return err
}

// checkTaken returns Taken faults if another school has the slug of s, or the name of s and the name
// has changed.
func (r schoolRepo) checkTaken(ctx context.Context, s school.State) error {
	var found struct {
		SlugTaken bool `db:"slug_taken"`
		Renamed   bool `db:"renamed"`
	}
	if err := r.GetRow(ctx, &found, compareSchool, s.Slug, s.Name, r.SchoolID); err != nil {
		return err
	}
	var errName, errSlug error
	if found.Renamed {
		errName = r.lockName(ctx, s.Name)
	}
	if found.SlugTaken {
		errSlug = fault.TakenValue("slug")
	}
	return fault.Join(errName, errSlug)
}

// lockName locks a new name of the school. It returns a Taken fault if another school has the same
// name.
func (r schoolRepo) lockName(ctx context.Context, name string) error {
	if _, err := r.Exec(ctx, lockSchoolName, school.NameKey(name)); err != nil {
		return err
	}
	var others []string
	if err := r.SelectRows(ctx, &others, otherNames, r.SchoolID); err != nil {
		return err
	}
	if slices.ContainsFunc(others, func(other string) bool { return school.SameName(other, name) }) {
		return fault.TakenValue("name")
	}
	return nil
}
