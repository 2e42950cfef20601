package postgres

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/google/uuid"
	"lyceum/domain/bulk"
)

// waitingParts selects the unfinished parts about the person whose address has the unique key $2. It
// also selects the parts of a server of an earlier version, which have no subjects.
const waitingParts = `
	FROM bulk_parts p JOIN bulk_jobs j ON j.school_id = p.school_id AND j.id = p.job_id
	WHERE p.school_id = $1 AND p.finished_at IS NULL AND j.kind = 'people'
	AND (p.subjects IS NULL OR p.subjects ? $2) `

const (
	findWaitingParts = `SELECT p.id` + waitingParts
	lockWaitingParts = `SELECT p.id, p.job_id, j.kind, j.key_id, j.scope, j.staff_id, p.rows` + waitingParts + `ORDER BY p.id FOR UPDATE OF p`
	saveBulkRows     = `UPDATE bulk_parts SET rows = $3, subjects = $4 WHERE school_id = $1 AND id = $2 AND finished_at IS NULL`
)

// WaitingForUpdate implements ports.BulkRepo. A statement that waits for a transaction that splits a
// part does not see the new part, so WaitingForUpdate locks parts until a statement without locks
// finds no others.
func (r bulkRepo) WaitingForUpdate(ctx context.Context, key string) ([]bulk.Part, error) {
	var locked []bulk.Part
	isLocked := func(id uuid.UUID) bool {
		return slices.ContainsFunc(locked, func(p bulk.Part) bool { return p.ID.UUID == id })
	}
	for {
		var found []uuid.UUID
		if err := r.SelectRows(ctx, &found, findWaitingParts, r.SchoolID, key); err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(found, func(id uuid.UUID) bool { return !isLocked(id) }) {
			break
		}
		var err error
		if locked, err = getAll(ctx, r.session, bulkPartRow.part, lockWaitingParts, r.SchoolID, key); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(locked, func(p bulk.Part) bool { return !p.About(key) }), nil
}

// keptSubjects returns the subjects of the part as a JSON array.
func keptSubjects(p bulk.Part) string {
	b, _ := json.Marshal(p.Subjects()) // strings cannot fail
	return string(b)
}

// SaveRows implements ports.BulkRepo.
func (r bulkRepo) SaveRows(ctx context.Context, p bulk.Part) error {
	rows, err := encodeRows(p.Rows)
	if err != nil {
		return err
	}
	return r.writeOne(ctx, saveBulkRows, r.SchoolID, p.ID.UUID, rows, keptSubjects(p))
}
