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

// made is what a generated school consists of, kept apart.
type made struct{ catalog, enrollments, events []ports.Batch }

// generate makes a school that no store keeps.
func generate(b *testing.B, s demo.Size) *made {
	b.Helper()
	m := &made{}
	store := noting{memory.New(), m}
	a := app.New(store, store.Schools(), store.Queue(), files.NewMemory(), fake.NewInvitationSender(), clock.System{}, clock.Random{})
	_, err := a.Transfers.ImportNew(b.Context(), transfer.Import{Open: demo.Generated("Measured", s)})
	try(b, err)
	return m
}

// noting is a store that notes what is loaded, and keeps none of it.
type noting struct {
	*memory.Store
	made *made
}

// LoadNewSchool notes what is added.
func (n noting) LoadNewSchool(ctx context.Context, s school.School, fn func(context.Context, ports.LoadTx) error) error {
	return n.Store.LoadNewSchool(ctx, s, func(ctx context.Context, l ports.LoadTx) error { return fn(ctx, notes{l, n.made}) })
}

type notes struct {
	ports.LoadTx
	*made
}

// Add keeps enrollments and events, and all that these need, apart; what learners
// did besides is left out.
func (m notes) Add(_ context.Context, batch ports.Batch) error {
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

// bareCopy copies the rows of a table, as texts that are there already, into one
// with the same columns and indexes, and returns how many they are and how long it
// took.
func bareCopy(b *testing.B, dsn, table string) (int, time.Duration) {
	b.Helper()
	db, err := sql.Open("postgres", dsn)
	try(b, err)
	defer func() { _ = db.Close() }()
	_, err = db.ExecContext(b.Context(), `CREATE TABLE bare_`+table+` (LIKE `+table+` INCLUDING ALL)`)
	try(b, err)
	columns, rows := texts(b, db, table)
	begin := time.Now()
	tx, err := db.BeginTx(b.Context(), nil)
	try(b, err)
	//lint:ignore SA1019 COPY in the plainest way that the driver has
	st, err := tx.PrepareContext(b.Context(), pq.CopyIn("bare_"+table, columns...))
	try(b, err)
	defer func() { _ = st.Close() }()
	for _, row := range rows {
		_, err := st.ExecContext(b.Context(), row...)
		try(b, err)
	}
	_, err = st.ExecContext(b.Context())
	try(b, err)
	try(b, tx.Commit())
	return len(rows), time.Since(begin)
}

// texts returns the columns and the rows of a table, in the order in which they
// were written.
func texts(b *testing.B, db *sql.DB, table string) (columns []string, all [][]any) {
	b.Helper()
	try(b, db.QueryRowContext(b.Context(), `
		SELECT array_agg(attname::text ORDER BY attnum) FROM pg_attribute
		WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`, table).Scan(pq.Array(&columns)))
	rows, err := db.QueryContext(b.Context(), "SELECT "+strings.Join(columns, "::text, ")+"::text FROM "+table+" ORDER BY ctid")
	try(b, err)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		row, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		try(b, rows.Scan(into...))
		for i, text := range row {
			if into[i] = nil; text.Valid {
				into[i] = text.String
			}
		}
		all = append(all, into)
	}
	try(b, rows.Err())
	return columns, all
}
