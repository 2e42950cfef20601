package bench_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	"github.com/lib/pq"
	"lyceum/adapters/clock"
	"lyceum/adapters/demo"
	"lyceum/adapters/files"
	"lyceum/adapters/memory"
	"lyceum/app"
	"lyceum/app/transfer"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit/fake"
)

// batches contains the content of a generated school, by kind.
type batches struct{ catalog, enrollments, events []ports.Batch }

// generate returns the content of a generated school without saving it.
func generate(b *testing.B, s demo.Size) *batches {
	b.Helper()
	m := &batches{}
	store := recordingStore{memory.New(), m}
	a := app.New(store, store.Schools(), store.Queue(), files.NewMemory(), fake.NewInvitationSender(), clock.System{}, clock.Random{})
	_, err := a.Transfers.ImportNew(b.Context(), transfer.Import{Open: demo.Generated("Measured", s)})
	mustSucceed(b, err)
	return m
}

// recordingStore is a store that records the content of a new school instead of saving it.
type recordingStore struct {
	*memory.Store
	made *batches
}

// LoadNewSchool records the data that fn adds.
func (n recordingStore) LoadNewSchool(ctx context.Context, s school.School, fn func(context.Context, ports.LoadTx) error) error {
	return n.Store.LoadNewSchool(ctx, s, func(ctx context.Context, l ports.LoadTx) error { return fn(ctx, recordingTx{l, n.made}) })
}

type recordingTx struct {
	ports.LoadTx
	*batches
}

// Add records enrollments, events and the records to which they refer. It ignores other learner
// data.
func (m recordingTx) Add(_ context.Context, batch ports.Batch) error {
	if len(batch.Enrollments) > 0 {
		m.enrollments = append(m.enrollments, ports.Batch{Enrollments: batch.Enrollments})
	}
	if len(batch.Events) > 0 {
		m.events = append(m.events, ports.Batch{Events: batch.Events})
	}
	batch.Enrollments, batch.Events = nil, nil
	batch.Attempts, batch.Completions, batch.QuizAttempts, batch.Submissions = nil, nil, nil, nil
	m.catalog = append(m.catalog, batch)
	return nil
}

// copyRows copies the rows of a table into a new table with the same columns and indexes, using
// COPY. It returns the number of rows and the duration of the COPY. The duration does not include
// reading the rows and encoding them as text.
func copyRows(b *testing.B, dsn, table string) (int, time.Duration) {
	b.Helper()
	db, err := sql.Open("postgres", dsn)
	mustSucceed(b, err)
	defer func() { _ = db.Close() }()
	_, err = db.ExecContext(b.Context(), `CREATE TABLE bare_`+table+` (LIKE `+table+` INCLUDING ALL)`)
	mustSucceed(b, err)
	columns, rows := readTable(b, db, table)
	begin := time.Now()
	tx, err := db.BeginTx(b.Context(), nil)
	mustSucceed(b, err)
	st, err := tx.PrepareContext(b.Context(), pq.CopyIn("bare_"+table, columns...)) //lint:ignore SA1019 COPY in the plainest way that the driver has
	mustSucceed(b, err)
	defer func() { _ = st.Close() }()
	for _, row := range rows {
		_, err := st.ExecContext(b.Context(), row...)
		mustSucceed(b, err)
	}
	_, err = st.ExecContext(b.Context())
	mustSucceed(b, err)
	mustSucceed(b, tx.Commit())
	return len(rows), time.Since(begin)
}

// readTable returns the columns and the rows of a table in the order of insertion.
func readTable(b *testing.B, db *sql.DB, table string) (columns []string, all [][]any) {
	b.Helper()
	mustSucceed(b, db.QueryRowContext(b.Context(), `
		SELECT array_agg(attname::text ORDER BY attnum) FROM pg_attribute
		WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`, table).Scan(pq.Array(&columns)))
	rows, err := db.QueryContext(b.Context(), "SELECT "+strings.Join(columns, "::text, ")+"::text FROM "+table+" ORDER BY ctid")
	mustSucceed(b, err)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		row, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		mustSucceed(b, rows.Scan(into...))
		for i, text := range row {
			if into[i] = nil; text.Valid {
				into[i] = text.String
			}
		}
		all = append(all, into)
	}
	mustSucceed(b, rows.Err())
	return columns, all
}
