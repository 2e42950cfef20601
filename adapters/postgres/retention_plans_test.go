package postgres_test

import (
	"database/sql"
	"slices"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/domain/school"
)

// retentionPlans checks that the deletion of old bulk jobs and of dead jobs reads no recent ones, and
// that the search for waiting parts reads no finished ones. These statements run often.
func retentionPlans(t *testing.T, db *sql.DB, id school.ID) {
	is := is.New(t)
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	_, err := db.ExecContext(t.Context(), `
		WITH requests AS (
			INSERT INTO bulk_jobs (school_id, id, kind, rows_total, created_at)
			SELECT $1, gen_random_uuid(), 'people', 200, $2::timestamptz + i * interval '1 minute' FROM generate_series(1, 20000) i
			RETURNING school_id, id, created_at
		)
		INSERT INTO bulk_parts (school_id, id, job_id, number, rows_done, finished_at)
		SELECT school_id, gen_random_uuid(), id, number, 100, created_at FROM requests, generate_series(1, 2) number`, id.UUID, start)
	is.NoErr(err)
	_, err = db.ExecContext(t.Context(), `
		INSERT INTO jobs (school_id, id, kind, payload, state, attempts, run_at, last_error, created_at, updated_at)
		SELECT $1, gen_random_uuid(), 'parcel', '', CASE WHEN i % 2 = 0 THEN 'dead' ELSE 'waiting' END, 0, $2, '', $2,
			$2::timestamptz + i * interval '1 minute'
		FROM generate_series(1, 20000) i`, id.UUID, start)
	is.NoErr(err)
	execute(t, db, `VACUUM ANALYZE bulk_jobs, bulk_parts, jobs`)
	for _, tt := range []struct {
		name, statement, index string
		args                   []any
	}{
		{"bulk jobs", postgres.DeleteExpiredBulkJobsSQL, "bulk_jobs_by_age", []any{start.Add(time.Hour).Format(time.RFC3339), 20}},
		{"dead jobs", postgres.DeleteDeadJobsSQL, "jobs_dead", []any{"parcel", start.Add(time.Hour).Format(time.RFC3339), 1000}},
		{"waiting parts", postgres.FindWaitingPartsSQL, "bulk_parts_unfinished", []any{id.String(), `"subject":"ada@example.test"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p := explain(t, db, tt.statement, tt.args, false)
			is.Equal(p.scanned(), nil)
			is.True(slices.Contains(p.indexes(""), tt.index))
			p.walk(func(n plan) { is.True(n.Rows <= 200) })
		})
	}
}
