package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/ports"
)

var _ ports.BulkRepo = bulkRepo{}

type bulkJobRow struct {
	ID        uuid.UUID `db:"id"`
	Kind      string    `db:"kind"`
	RowsTotal int       `db:"rows_total"`
	CreatedAt time.Time `db:"created_at"`
	// Of one of its parts that are finished, if there are any.
	RowsDone   sql.NullInt64  `db:"rows_done"`
	RowsFailed sql.NullInt64  `db:"rows_failed"`
	Errors     sql.NullString `db:"errors"`
	FinishedAt *time.Time     `db:"finished_at"`
}

func (r bulkJobRow) job() (bulk.Job, error) {
	kind, ok := bulk.ParseKind(r.Kind)
	if !ok {
		return bulk.Job{}, pgdb.Corrupt("bulk_jobs", r.ID, fmt.Errorf("no kind %q", r.Kind))
	}
	return bulk.Job{ID: bulk.ID{UUID: r.ID}, Kind: kind, RowsTotal: r.RowsTotal, CreatedAt: r.CreatedAt.UTC()}, nil
}

func (r bulkJobRow) outcome() (bulk.Outcome, error) {
	errs, err := decodeRowErrors(r.Errors.String)
	if err != nil {
		return bulk.Outcome{}, pgdb.Corrupt("bulk_jobs", r.ID, err)
	}
	return bulk.Outcome{
		Rows: int(r.RowsDone.Int64), Failed: int(r.RowsFailed.Int64), Errors: errs, At: r.FinishedAt.UTC(),
	}, nil
}

type bulkReader struct{ *session }

// One statement, so that the job and its parts are of one moment.
const getBulkJob = `
	SELECT j.id, j.kind, j.rows_total, j.created_at, p.rows_done, p.rows_failed, p.errors, p.finished_at
	FROM bulk_jobs j
	LEFT JOIN bulk_parts p ON p.school_id = j.school_id AND p.job_id = j.id AND p.finished_at IS NOT NULL
	WHERE j.school_id = $1 AND j.id = $2 ORDER BY p.number`

// Get returns the bulk job id.
func (c bulkReader) Get(ctx context.Context, id bulk.ID) (bulk.Job, error) {
	var rows []bulkJobRow
	if err := c.SelectRows(ctx, &rows, getBulkJob, c.SchoolID, id.UUID); err != nil {
		return bulk.Job{}, err
	}
	if len(rows) == 0 {
		return bulk.Job{}, fault.Missing()
	}
	j, err := rows[0].job()
	if err != nil {
		return bulk.Job{}, err
	}
	var outcomes []bulk.Outcome
	for _, r := range rows {
		if r.FinishedAt == nil {
			continue
		}
		o, err := r.outcome()
		if err != nil {
			return bulk.Job{}, err
		}
		outcomes = append(outcomes, o)
	}
	return j.With(outcomes...), nil
}

type bulkRepo struct{ bulkReader }

const (
	addBulkJob = `
		INSERT INTO bulk_jobs (school_id, id, kind, rows_total, created_at) VALUES ($1, $2, $3, $4, $5)`
	addBulkParts = `
		INSERT INTO bulk_parts (school_id, job_id, number, id, rows, first_row, row_count)
		SELECT $1, $2, p.number - 1, p.id, p.rows, p.first_row, p.row_count
		FROM unnest($3::uuid[], $4::text[], $5::integer[], $6::integer[])
			WITH ORDINALITY p (id, rows, first_row, row_count, number)`
	findBulkPart = `
		SELECT p.id, p.job_id, j.kind, p.rows FROM bulk_parts p
		JOIN bulk_jobs j ON j.school_id = p.school_id AND j.id = p.job_id
		WHERE p.school_id = $1 AND p.id = $2 AND p.finished_at IS NULL FOR UPDATE OF p`
	findBulkNumbers = `
		SELECT id, job_id, first_row, row_count FROM bulk_parts
		WHERE school_id = $1 AND id = $2 AND finished_at IS NULL FOR UPDATE`
	finishBulkPart = `
		UPDATE bulk_parts SET rows = NULL, rows_done = $3, rows_failed = $4, errors = $5, finished_at = $6
		WHERE school_id = $1 AND id = $2 AND finished_at IS NULL`
)

// Add keeps a new bulk job and its parts.
func (c bulkRepo) Add(ctx context.Context, j bulk.Job, parts []bulk.Part) error {
	ids, rows := make([]string, len(parts)), make([]string, len(parts))
	first, count := make([]int64, len(parts)), make([]int64, len(parts))
	for i, p := range parts {
		encoded, err := encodeRows(p.Rows)
		if err != nil {
			return err
		}
		ids[i], rows[i] = p.ID.String(), encoded
		first[i], count[i] = int64(p.Rows[0].Number), int64(len(p.Rows))
	}
	_, err := c.Exec(ctx, addBulkJob, c.SchoolID, j.ID.UUID, j.Kind.String(), j.RowsTotal, j.CreatedAt)
	if err == nil {
		_, err = c.Exec(ctx, addBulkParts, c.SchoolID, j.ID.UUID, pq.Array(ids), pq.Array(rows), pq.Array(first), pq.Array(count))
	}
	return err
}

// FindPart returns the part id and locks it.
func (c bulkRepo) FindPart(ctx context.Context, id bulk.PartID) (bulk.Part, error) {
	var row struct {
		ID   uuid.UUID `db:"id"`
		Job  uuid.UUID `db:"job_id"`
		Kind string    `db:"kind"`
		Rows string    `db:"rows"`
	}
	if err := c.GetRow(ctx, &row, findBulkPart, c.SchoolID, id.UUID); err != nil {
		return bulk.Part{}, pgdb.Missing(err)
	}
	kind, ok := bulk.ParseKind(row.Kind)
	if !ok {
		return bulk.Part{}, pgdb.Corrupt("bulk_jobs", row.Job, fmt.Errorf("no kind %q", row.Kind))
	}
	rows, err := decodeRows(row.Rows)
	if err != nil {
		return bulk.Part{}, pgdb.Corrupt("bulk_parts", row.ID, err)
	}
	return bulk.Part{ID: bulk.PartID{UUID: row.ID}, Job: bulk.ID{UUID: row.Job}, Kind: kind, Rows: rows}, nil
}

// FindNumbers returns the part id, locked, with the numbers of its rows.
func (c bulkRepo) FindNumbers(ctx context.Context, id bulk.PartID) (bulk.Part, error) {
	var row struct {
		ID    uuid.UUID `db:"id"`
		Job   uuid.UUID `db:"job_id"`
		First int       `db:"first_row"`
		Count int       `db:"row_count"`
	}
	if err := c.GetRow(ctx, &row, findBulkNumbers, c.SchoolID, id.UUID); err != nil {
		return bulk.Part{}, pgdb.Missing(err)
	}
	p := bulk.Part{ID: bulk.PartID{UUID: row.ID}, Job: bulk.ID{UUID: row.Job}}
	for i := range row.Count {
		p.Rows = append(p.Rows, bulk.Row{Number: row.First + i})
	}
	return p, nil
}

// FinishPart keeps what came of the part id.
func (c bulkRepo) FinishPart(ctx context.Context, id bulk.PartID, o bulk.Outcome) error {
	errs, err := encodeRowErrors(o.Errors)
	if err != nil {
		return err
	}
	n, err := c.Exec(ctx, finishBulkPart, c.SchoolID, id.UUID, o.Rows, o.Failed, errs, o.At)
	if err == nil && n == 0 {
		return fault.Missing()
	}
	return err
}
