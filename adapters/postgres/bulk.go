package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/school"
	"lyceum/ports"
)

var _ ports.BulkRepo = bulkRepo{}

type bulkJobRow struct {
	ID        uuid.UUID     `db:"id"`
	Kind      string        `db:"kind"`
	Key       uuid.NullUUID `db:"key_id"`
	Scope     string        `db:"scope"`
	Staff     uuid.NullUUID `db:"staff_id"`
	RowsTotal int           `db:"rows_total"`
	CreatedAt time.Time     `db:"created_at"`
	// The next columns are the outcome of a finished part of the job. They are null if no part is
	// finished.
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
	by, err := bulkActor(r.ID, r.Key, r.Scope, r.Staff)
	return bulk.Job{
		ID: bulk.ID{UUID: r.ID}, Kind: kind, By: by, RowsTotal: r.RowsTotal, CreatedAt: r.CreatedAt.UTC(),
	}, err
}

// bulkActor returns the actor of the bulk job id.
func bulkActor(id uuid.UUID, key uuid.NullUUID, scope string, staff uuid.NullUUID) (policy.Actor, error) {
	s, err := school.ParseScope(scope)
	if err != nil {
		return policy.Actor{}, pgdb.Corrupt("bulk_jobs", id, err)
	}
	return policy.Actor{Key: school.KeyID{UUID: key.UUID}, Scope: s, Staff: person.ID{UUID: staff.UUID}}, nil
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

// getBulkJob reads the job and its parts in one statement, so that they are consistent.
const getBulkJob = `
	SELECT j.id, j.kind, j.key_id, j.scope, j.staff_id, j.rows_total, j.created_at, p.rows_done, p.rows_failed, p.errors, p.finished_at
	FROM bulk_jobs j
	LEFT JOIN bulk_parts p ON p.school_id = j.school_id AND p.job_id = j.id AND p.finished_at IS NOT NULL
	WHERE j.school_id = $1 AND j.id = $2 ORDER BY p.first_row, p.number`

// Get implements ports.BulkReader.
func (r bulkReader) Get(ctx context.Context, id bulk.ID) (bulk.Job, error) {
	var rows []bulkJobRow
	if err := r.SelectRows(ctx, &rows, getBulkJob, r.SchoolID, id.UUID); err != nil {
		return bulk.Job{}, err
	}
	if len(rows) == 0 {
		return bulk.Job{}, fault.RecordNotFound()
	}
	j, err := rows[0].job()
	if err != nil {
		return bulk.Job{}, err
	}
	rows = slices.DeleteFunc(rows, func(row bulkJobRow) bool { return row.FinishedAt == nil })
	outcomes, err := convertAll(rows, bulkJobRow.outcome)
	return j.With(outcomes...), err
}

var bulkJobTable = newTable("bulk_jobs", []column[bulk.Job]{
	{"id", "uuid", func(j bulk.Job) any { return j.ID.UUID }},
	{"kind", "text", func(j bulk.Job) any { return j.Kind.String() }},
	{"key_id", "uuid", func(j bulk.Job) any { return optional(j.By.Key.UUID) }},
	{"scope", "text", func(j bulk.Job) any { return j.By.Scope.String() }},
	{"staff_id", "uuid", func(j bulk.Job) any { return optional(j.By.Staff.UUID) }},
	{"rows_total", "integer", func(j bulk.Job) any { return j.RowsTotal }},
	{"created_at", "timestamptz", func(j bulk.Job) any { return j.CreatedAt }},
})

// A bulkPart is a part of a bulk job as it is stored.
type bulkPart struct {
	bulk.Part
	job    bulk.ID
	number int
	rows   string
}

var bulkPartTable = newTable("bulk_parts", []column[bulkPart]{
	{"id", "uuid", func(p bulkPart) any { return p.ID.UUID }},
	{"job_id", "uuid", func(p bulkPart) any { return p.job.UUID }},
	{"number", "integer", func(p bulkPart) any { return p.number }},
	{"rows", "text", func(p bulkPart) any { return p.rows }},
	{"subjects", "jsonb", func(p bulkPart) any { return keptSubjects(p.Part) }},
	{"first_row", "integer", func(p bulkPart) any { return p.Rows[0].Number }},
	{"row_count", "integer", func(p bulkPart) any { return len(p.Rows) }},
})

type bulkRepo struct{ bulkReader }

const (
	lockBulkPart = `
		SELECT p.id, p.job_id, j.kind, j.key_id, j.scope, j.staff_id, p.rows FROM bulk_parts p
		JOIN bulk_jobs j ON j.school_id = p.school_id AND j.id = p.job_id
		WHERE p.school_id = $1 AND p.id = $2 AND p.finished_at IS NULL FOR UPDATE OF p`
	lockBulkNumbers = `
		SELECT id, job_id, first_row, row_count FROM bulk_parts
		WHERE school_id = $1 AND id = $2 AND finished_at IS NULL FOR UPDATE`
	shortenBulkPart = `
		UPDATE bulk_parts SET rows = $3, row_count = $4, subjects = $5
		WHERE school_id = $1 AND id = $2 AND finished_at IS NULL RETURNING job_id`
	// A part that was split off gets the negated number of its first row as its number. No other
	// part has this number.
	addBulkRest = `
		INSERT INTO bulk_parts (school_id, job_id, number, id, rows, first_row, row_count, subjects)
		VALUES ($1, $2, -$5::integer, $3, $4, $5, $6, $7)`
	finishBulkPart = `
		UPDATE bulk_parts SET rows = NULL, subjects = NULL, rows_done = $3, rows_failed = $4, errors = $5, finished_at = $6
		WHERE school_id = $1 AND id = $2 AND finished_at IS NULL`
)

// Add implements ports.BulkRepo.
func (r bulkRepo) Add(ctx context.Context, j bulk.Job, parts []bulk.Part) error {
	stored := make([]bulkPart, len(parts))
	for i, p := range parts {
		rows, err := encodeRows(p.Rows)
		if err != nil {
			return err
		}
		stored[i] = bulkPart{p, j.ID, i, rows}
	}
	if err := insert(ctx, r.session, bulkJobTable, j); err != nil {
		return err
	}
	return r.write(ctx, bulkPartTable.insertMany, bulkPartTable.arrays(r.SchoolID, stored)...)
}

type bulkPartRow struct {
	ID    uuid.UUID     `db:"id"`
	Job   uuid.UUID     `db:"job_id"`
	Kind  string        `db:"kind"`
	Key   uuid.NullUUID `db:"key_id"`
	Scope string        `db:"scope"`
	Staff uuid.NullUUID `db:"staff_id"`
	Rows  string        `db:"rows"`
	First int           `db:"first_row"`
	Count int           `db:"row_count"`
}

func (r bulkPartRow) part() (bulk.Part, error) {
	kind, ok := bulk.ParseKind(r.Kind)
	if !ok {
		return bulk.Part{}, pgdb.Corrupt("bulk_jobs", r.Job, fmt.Errorf("no kind %q", r.Kind))
	}
	rows, err := decodeRows(r.Rows)
	if err != nil {
		return bulk.Part{}, pgdb.Corrupt("bulk_parts", r.ID, err)
	}
	by, err := bulkActor(r.Job, r.Key, r.Scope, r.Staff)
	return bulk.Part{ID: bulk.PartID{UUID: r.ID}, Job: bulk.ID{UUID: r.Job}, Kind: kind, By: by, Rows: rows}, err
}

func (r bulkPartRow) numbers() (bulk.Part, error) {
	p := bulk.Part{ID: bulk.PartID{UUID: r.ID}, Job: bulk.ID{UUID: r.Job}}
	for i := range r.Count {
		p.Rows = append(p.Rows, bulk.Row{Number: r.First + i})
	}
	return p, nil
}

// GetPartForUpdate implements ports.BulkRepo.
func (r bulkRepo) GetPartForUpdate(ctx context.Context, id bulk.PartID) (bulk.Part, error) {
	return getOne(ctx, r.session, bulkPartRow.part, lockBulkPart, r.SchoolID, id.UUID)
}

// GetPartNumbersForUpdate implements ports.BulkRepo.
func (r bulkRepo) GetPartNumbersForUpdate(ctx context.Context, id bulk.PartID) (bulk.Part, error) {
	return getOne(ctx, r.session, bulkPartRow.numbers, lockBulkNumbers, r.SchoolID, id.UUID)
}

// SplitPart implements ports.BulkRepo.
func (r bulkRepo) SplitPart(ctx context.Context, p, rest bulk.Part) error {
	short, err := encodeRows(p.Rows)
	if err != nil {
		return err
	}
	long, err := encodeRows(rest.Rows)
	if err != nil {
		return err
	}
	var of uuid.UUID
	if err := r.GetRow(ctx, &of, shortenBulkPart, r.SchoolID, p.ID.UUID, short, len(p.Rows), keptSubjects(p)); err != nil {
		return pgdb.Missing(err)
	}
	_, err = r.Exec(ctx, addBulkRest, r.SchoolID, of, rest.ID.UUID, long, rest.Rows[0].Number, len(rest.Rows), keptSubjects(rest))
	return err
}

// FinishPart implements ports.BulkRepo.
func (r bulkRepo) FinishPart(ctx context.Context, id bulk.PartID, o bulk.Outcome) error {
	errs, err := encodeRowErrors(o.Errors)
	if err != nil {
		return err
	}
	return r.writeOne(ctx, finishBulkPart, r.SchoolID, id.UUID, o.Rows, o.Failed, errs, o.At)
}

// deleteExpiredBulkJobs finds candidates by the time of their creation, which is before the end of
// their last part.
const deleteExpiredBulkJobs = `
	WITH expired AS MATERIALIZED (
		SELECT j.school_id, j.id FROM bulk_jobs j -- of every school
		WHERE j.created_at <= $1 AND NOT EXISTS (
			SELECT FROM bulk_parts p WHERE p.school_id = j.school_id AND p.job_id = j.id AND (p.finished_at IS NULL OR p.finished_at > $1)
		)
		ORDER BY j.created_at LIMIT $2 FOR UPDATE SKIP LOCKED
	),
	parts AS (
		DELETE FROM bulk_parts p USING expired e WHERE p.school_id = e.school_id AND p.job_id = e.id
	)
	DELETE FROM bulk_jobs j USING expired e WHERE j.school_id = e.school_id AND j.id = e.id`

// DeleteExpiredBulkJobs implements ports.Schools.
func (r schools) DeleteExpiredBulkJobs(ctx context.Context, before time.Time, limit int) (int, error) {
	return r.Exec(ctx, deleteExpiredBulkJobs, before, limit)
}
