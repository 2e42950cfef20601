package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/idempotency"
	"lyceum/domain/person"
	"lyceum/ports"
)

var _ ports.IdempotencyRepo = idempotencyRepo{}

type idempotencyRepo struct{ *session }

type recordedResponseRow struct {
	Fingerprint []byte    `db:"fingerprint"`
	CreatedAt   time.Time `db:"created_at"`
	Status      int       `db:"status"`
	Location    string    `db:"location"`
	ContentType string    `db:"content_type"`
	ETag        string    `db:"etag"`
	Body        []byte    `db:"body"`
}

func (r recordedResponseRow) record(id idempotency.ID) idempotency.Record {
	found := idempotency.Record{
		Claim: idempotency.Claim{ID: id, At: r.CreatedAt.UTC()},
		Response: idempotency.Response{
			Status: r.Status, Location: r.Location, ContentType: r.ContentType, ETag: r.ETag, Body: r.Body,
		},
	}
	copy(found.Fingerprint[:], r.Fingerprint)
	return found
}

const (
	// claimRequest waits for a concurrent transaction that has inserted the row.
	claimRequest = `
		INSERT INTO recorded_responses (school_id, id, fingerprint, created_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (school_id, id) DO UPDATE SET fingerprint = $3, created_at = $4, status = 0, location = '',
			content_type = '', etag = '', body = '', mentions = '{}'
		WHERE recorded_responses.created_at <= $5 OR recorded_responses.status = 0`
	getResponse = `
		SELECT fingerprint, created_at, status, location, content_type, etag, body
		FROM recorded_responses WHERE school_id = $1 AND id = $2`
	anyDeletion = `SELECT EXISTS (SELECT FROM recorded_responses WHERE school_id = $1 AND id = ANY ($2::bytea[]))`
	// lockDeleted locks a person who will be deleted. It waits for transactions that have run
	// lockMentioned.
	lockDeleted    = `SELECT id FROM people WHERE school_id = $1 AND id = $2 FOR UPDATE`
	eraseResponses = `
		WITH named AS MATERIALIZED ( -- locked in the order of their IDs, because a response may mention several people
			SELECT id FROM recorded_responses WHERE school_id = $1 AND id = ANY (ARRAY (
				SELECT id FROM recorded_responses WHERE school_id = $1 AND mentions @> ARRAY [$2::uuid] LIMIT $5
			)) ORDER BY id FOR UPDATE
		), deletion AS (
			INSERT INTO recorded_responses (school_id, id, fingerprint, created_at, status) VALUES ($1, $4, '', now(), $3)
			ON CONFLICT (school_id, id) DO NOTHING
		)
		UPDATE recorded_responses r SET status = $3, fingerprint = '', location = '', content_type = '', etag = '', body = '', mentions = '{}'
		FROM named WHERE r.school_id = $1 AND r.id = named.id`
	// MATERIALIZED makes both statements select the rows only once. A plan that repeated the
	// selection for each row could delete more rows than the limit.
	deleteExpiredResponses = `
		WITH old AS MATERIALIZED ( -- of every school
			SELECT school_id, id FROM recorded_responses WHERE created_at <= $1
			ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED
		)
		DELETE FROM recorded_responses r USING old WHERE r.school_id = old.school_id AND r.id = old.id`
	deleteExpiredOfSchool = `
		WITH old AS MATERIALIZED (
			SELECT id FROM recorded_responses WHERE school_id = $1 AND created_at <= $2
			ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED
		)
		DELETE FROM recorded_responses r USING old WHERE r.school_id = $1 AND r.id = old.id`
)

// saveResponse also saves mentions of the people whose partnerships are in the response.
var saveResponse = `
	UPDATE recorded_responses SET status = $3, location = $4, content_type = $5, etag = $6, body = $7,
		mentions = $8::uuid[] || ARRAY (SELECT r.person_id FROM ` + pgdb.ByKey("partnerships", "r.person_id", "id", "$8::uuid[]", "LIMIT 1") + `),
		fingerprint = CASE WHEN $9::boolean THEN '' ELSE fingerprint END
	WHERE school_id = $1 AND id = $2 AND xmin = pg_current_xact_id()::xid`

// lockMentioned locks the people whose ids a response contains. It conflicts only with lockDeleted,
// the statement of transactions that delete a person: whichever of the two runs second waits for
// the other transaction.
var lockMentioned = `SELECT r.id FROM ` + pgdb.ByKey("people", "r.id", "id", "$2::uuid[]", "LIMIT 1 FOR KEY SHARE")

// deletionID returns the ID of the idempotency record that marks the person as deleted. It is not
// the ID of any request, does not reveal the ID of the person, and expires like a response.
func deletionID(id uuid.UUID) []byte {
	hash := idempotency.NewID("deleted person", "", id.String())
	return hash[:]
}

// Claim implements ports.IdempotencyRepo.
func (r idempotencyRepo) Claim(ctx context.Context, claim idempotency.Claim, expired time.Time) (idempotency.Record, bool, error) {
	n, err := r.Exec(ctx, claimRequest, r.SchoolID, claim.ID[:], claim.Fingerprint[:], claim.At, expired)
	if err != nil || n == 1 {
		return idempotency.Record{}, false, err
	}
	var row recordedResponseRow
	err = r.GetRow(ctx, &row, getResponse, r.SchoolID, claim.ID[:])
	if errors.Is(err, sql.ErrNoRows) { // a server whose clock is ahead has deleted the record
		return idempotency.Record{}, false, r.Changed(ports.ErrChanged)
	}
	return row.record(claim.ID), err == nil, err
}

// SaveResponse implements ports.IdempotencyRepo. It finds the row of the claim by xmin, because
// this transaction has written the row.
func (r idempotencyRepo) SaveResponse(ctx context.Context, id idempotency.ID, a idempotency.Response) error {
	mentions := a.Mentions()
	deleted, err := r.mentionsDeleted(ctx, mentions)
	if err != nil {
		return err
	}
	if deleted {
		a, mentions = idempotency.Response{Status: idempotency.Erased}, nil
	}
	body := a.Body
	if body == nil {
		body = []byte{} // the column is NOT NULL
	}
	n, err := r.Exec(ctx, saveResponse, r.SchoolID, id[:], a.Status, a.Location, a.ContentType, a.ETag, body,
		idArray(mentions), deleted)
	if err == nil && n == 0 {
		return fmt.Errorf("postgres: the transaction has not claimed the request %x", id)
	}
	return err
}

// mentionsDeleted reports whether one of ids belongs to a deleted person. It locks the people among
// ids, so that they cannot be deleted before the end of the transaction.
func (r idempotencyRepo) mentionsDeleted(ctx context.Context, ids []uuid.UUID) (deleted bool, err error) {
	if len(ids) == 0 {
		return false, nil
	}
	var people []uuid.UUID
	if err := r.AllKeyed(ctx, len(ids), &people, lockMentioned, r.SchoolID, idArray(ids)); err != nil {
		return false, err
	}
	exists := make(map[uuid.UUID]bool, len(people))
	for _, id := range people {
		exists[id] = true
	}
	var deletions [][]byte
	for _, id := range ids {
		if !exists[id] {
			deletions = append(deletions, deletionID(id))
		}
	}
	if len(deletions) == 0 {
		return false, nil
	}
	err = r.GetRow(ctx, &deleted, anyDeletion, r.SchoolID, pq.Array(deletions))
	return deleted, err
}

// EraseByPerson implements ports.IdempotencyRepo. It also records the deletion for transactions
// that have already read the person and will save their response later.
func (r idempotencyRepo) EraseByPerson(ctx context.Context, id person.ID, limit int) (int, error) {
	if err := r.write(ctx, lockDeleted, r.SchoolID, id.UUID); err != nil {
		return 0, err
	}
	return r.Exec(ctx, eraseResponses, r.SchoolID, id.UUID, idempotency.Erased, deletionID(id.UUID), limit)
}

// DeleteExpiredResponses implements ports.Schools.
func (r schools) DeleteExpiredResponses(ctx context.Context, until time.Time, most int) (int, error) {
	return r.Exec(ctx, deleteExpiredResponses, until, most)
}

// DeleteExpired implements ports.IdempotencyRepo.
func (r idempotencyRepo) DeleteExpired(ctx context.Context, until time.Time, most int) (int, error) {
	return r.Exec(ctx, deleteExpiredOfSchool, r.SchoolID, until, most)
}
