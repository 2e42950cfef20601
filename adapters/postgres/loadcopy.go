package postgres

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"lyceum/domain/school"
	"lyceum/ports"
)

var _ ports.Load = (*loading)(nil)

// loading is a load on the way.
type loading struct {
	*session
	tx     *sql.Tx
	failed error          // the first error of Add
	rows   map[string]int // by table
	feed   feedEnd
}

// newLoading returns the load of a school in tx.
func newLoading(s *Store, id school.ID, tx *sqlx.Tx) *loading {
	return &loading{session: &session{Session: s.db.SessionIn(tx, id.UUID), store: s}, tx: tx.Tx, rows: map[string]int{}}
}

// Tx returns the repositories of the load's transaction.
func (l *loading) Tx() ports.Tx { return newTx(l.session) }

// Add adds the records of b. After an error it adds nothing more: the
// transaction is broken.
func (l *loading) Add(ctx context.Context, b ports.Batch) error {
	if l.failed == nil {
		l.failed = loadError(ctx, l.add(ctx, b))
	}
	return l.failed
}

func (l *loading) add(ctx context.Context, b ports.Batch) error {
	for _, add := range []func(context.Context, ports.Batch) error{l.catalogue, l.taught, l.places, l.learned} {
		if err := add(ctx, b); err != nil {
			return err
		}
	}
	return l.append(ctx, b.Events)
}

// copyRows copies what row returns of each record into a table. Each row begins
// with the school.
func copyRows[T any](
	ctx context.Context, l *loading, table string, columns []string, records []T, row func(T) []any,
) (err error) {
	if len(records) == 0 {
		return ctx.Err()
	}
	st, err := l.tx.PrepareContext(ctx, "COPY "+table+" ("+strings.Join(columns, ", ")+") FROM STDIN")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	for _, r := range records {
		if _, err := st.ExecContext(ctx, row(r)...); err != nil {
			return err
		}
	}
	if _, err := st.ExecContext(ctx); err != nil { // the end, at which the rows are checked
		return err
	}
	l.rows[table] += len(records)
	return nil
}

// feedEnd is the end of the school's feed, which is locked once it is known.
type feedEnd struct {
	locked   bool
	position int64
	after    time.Time // the earliest instant that an event may have
	last     time.Time // as it was given
	lastAt   time.Time // as it was kept
}
