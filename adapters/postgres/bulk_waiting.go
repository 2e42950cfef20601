package postgres

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/google/uuid"
	"lyceum/domain/bulk"
)

// waitingParts selects a superset of the unfinished parts about a person: those that contain the
// unique key of the address as the subject of a row ($2, with its name in JSON), except for the case
// of ASCII letters, and those with a subject that has other letters, which text.UniqueKey folds.
const waitingParts = `
	FROM bulk_parts p JOIN bulk_jobs j ON j.school_id = p.school_id AND j.id = p.job_id
	WHERE p.school_id = $1 AND p.finished_at IS NULL AND j.kind = 'people'
	AND (strpos(lower(p.rows COLLATE "C"), $2) > 0 OR p.rows ~ '"subject":"([^"\\]|\\.)*[^\x01-\x7F]') `

const (
	findWaitingParts = `SELECT p.id` + waitingParts
	lockWaitingParts = `SELECT p.id, p.job_id, j.kind, j.key_id, j.scope, p.rows` + waitingParts + `ORDER BY p.id FOR UPDATE OF p`
	saveBulkRows     = `UPDATE bulk_parts SET rows = $3 WHERE school_id = $1 AND id = $2 AND finished_at IS NULL`
)

// WaitingForUpdate implements ports.BulkRepo. A statement that waits for a transaction that splits a
// part does not see the new part, so WaitingForUpdate locks parts until a statement without locks
// finds no others.
func (r bulkRepo) WaitingForUpdate(ctx context.Context, key string) ([]bulk.Part, error) {
	subject, err := subjectPattern(key)
	if err != nil {
		return nil, err
	}
	var locked []bulk.Part
	isLocked := func(id uuid.UUID) bool {
		return slices.ContainsFunc(locked, func(p bulk.Part) bool { return p.ID.UUID == id })
	}
	for {
		var found []uuid.UUID
		if err := r.SelectRows(ctx, &found, findWaitingParts, r.SchoolID, subject); err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(found, func(id uuid.UUID) bool { return !isLocked(id) }) {
			break
		}
		if locked, err = getAll(ctx, r.session, bulkPartRow.part, lockWaitingParts, r.SchoolID, subject); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(locked, func(p bulk.Part) bool { return !p.About(key) }), nil
}

// subjectPattern returns the JSON member of a row about the person with the given unique key of the
// email address, as encodeRows writes it.
func subjectPattern(key string) (string, error) {
	subject, err := json.Marshal(key)
	return `"subject":` + string(subject), err
}

// SaveRows implements ports.BulkRepo.
func (r bulkRepo) SaveRows(ctx context.Context, p bulk.Part) error {
	rows, err := encodeRows(p.Rows)
	if err != nil {
		return err
	}
	return r.writeOne(ctx, saveBulkRows, r.SchoolID, p.ID.UUID, rows)
}
