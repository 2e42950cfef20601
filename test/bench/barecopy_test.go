package bench_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/lib/pq"
	"lyceum/adapters/crowd"
	"lyceum/domain/school"
	"lyceum/ports"
)

// made is what a crowd consists of, kept apart.
type made struct{ catalogue, enrollments, events []ports.Batch }

// generate makes a crowd that no store keeps yet.
func generate(b *testing.B, s crowd.Size) *made {
	b.Helper()
	m := &made{}
	try(b, crowd.Fill(b.Context(), m, school.ID{}, s, nil))
	return m
}

// Load notes what is added.
func (m *made) Load(ctx context.Context, _ school.ID, fn func(context.Context, ports.Load) error) error {
	return fn(ctx, m)
}

// LoadNew is not asked for.
func (m *made) LoadNew(context.Context, school.School, func(context.Context, ports.Load) error) error {
	return errors.New("bench: the school is there")
}

// Tx is not asked for.
func (m *made) Tx() ports.Tx { return ports.Tx{} }

// Add keeps enrollments and events, and all that these need, apart; what learners
// did besides is left out.
func (m *made) Add(_ context.Context, batch ports.Batch) error {
	if len(batch.Enrollments) > 0 {
		m.enrollments = append(m.enrollments, ports.Batch{Enrollments: batch.Enrollments})
	}
	if len(batch.Events) > 0 {
		m.events = append(m.events, ports.Batch{Events: batch.Events})
	}
	batch.Enrollments, batch.Events = nil, nil
	batch.Attempts, batch.Completions, batch.QuizAttempts, batch.Submissions = nil, nil, nil, nil
	m.catalogue = append(m.catalogue, batch)
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
