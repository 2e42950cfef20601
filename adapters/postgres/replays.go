package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/person"
	"lyceum/domain/replay"
	"lyceum/ports"
)

var _ ports.ReplayRepo = replayRepo{}

type replayRepo struct{ *session }

type replayRow struct {
	Fingerprint []byte    `db:"fingerprint"`
	CreatedAt   time.Time `db:"created_at"`
	Status      int       `db:"status"`
	Location    string    `db:"location"`
	ContentType string    `db:"content_type"`
	ETag        string    `db:"etag"`
	Body        []byte    `db:"body"`
}

func (r replayRow) record(id replay.ID) replay.Record {
	found := replay.Record{
		Claim: replay.Claim{ID: id, At: r.CreatedAt.UTC()},
		Answer: replay.Answer{
			Status: r.Status, Location: r.Location, ContentType: r.ContentType, ETag: r.ETag, Body: r.Body,
		},
	}
	copy(found.Fingerprint[:], r.Fingerprint)
	return found
}

const (
	// claimReplay waits for a transaction that has inserted the row.
	claimReplay = `
		INSERT INTO recorded_responses (school_id, id, fingerprint, created_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (school_id, id) DO UPDATE SET fingerprint = $3, created_at = $4, status = 0, location = '',
			content_type = '', etag = '', body = '', mentions = '{}'
		WHERE recorded_responses.created_at <= $5 OR recorded_responses.status = 0`
	findReplay = `
		SELECT fingerprint, created_at, status, location, content_type, etag, body
		FROM recorded_responses WHERE school_id = $1 AND id = $2`
	keepReplay = `
		UPDATE recorded_responses SET status = $3, location = $4, content_type = $5, etag = $6, body = $7, mentions = $8::uuid[]
		WHERE school_id = $1 AND id = $2 AND xmin = pg_current_xact_id()::xid`
	eraseReplays = `
		WITH named AS MATERIALIZED ( -- in one order, since an answer may name several people
			SELECT id FROM recorded_responses WHERE school_id = $1 AND mentions @> ARRAY [$2::uuid] ORDER BY id FOR UPDATE
		)
		UPDATE recorded_responses r SET status = $3, fingerprint = '', location = '', content_type = '', etag = '', body = '', mentions = '{}'
		FROM named WHERE r.school_id = $1 AND r.id = named.id`
	// Here and in the next, the rows are found once: a plan that looked for them
	// again for each row would remove more than it may.
	sweepReplays = `
		WITH old AS MATERIALIZED ( -- of every school
			SELECT school_id, id FROM recorded_responses WHERE created_at <= $1
			ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED
		)
		DELETE FROM recorded_responses r USING old WHERE r.school_id = old.school_id AND r.id = old.id`
	forgetReplays = `
		WITH old AS MATERIALIZED (
			SELECT id FROM recorded_responses WHERE school_id = $1 AND created_at <= $2
			ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED
		)
		DELETE FROM recorded_responses r USING old WHERE r.school_id = $1 AND r.id = old.id`
)

// Claim takes the id of the request, or returns what is kept under it.
func (c replayRepo) Claim(ctx context.Context, r replay.Claim) (replay.Record, bool, error) {
	n, err := c.Exec(ctx, claimReplay, c.SchoolID, r.ID[:], r.Fingerprint[:], r.At, r.Expired())
	if err != nil || n == 1 {
		return replay.Record{}, false, err
	}
	var row replayRow
	err = c.GetRow(ctx, &row, findReplay, c.SchoolID, r.ID[:])
	if errors.Is(err, sql.ErrNoRows) { // a server whose clock is ahead has forgotten it since
		return replay.Record{}, false, c.Changed(ports.ErrChanged)
	}
	return row.record(r.ID), err == nil, err
}

// Keep keeps an answer. A row that the transaction has taken is its own version
// of it.
func (c replayRepo) Keep(ctx context.Context, id replay.ID, a replay.Answer) error {
	body := a.Body
	if body == nil {
		body = []byte{} // which is no NULL
	}
	n, err := c.Exec(ctx, keepReplay, c.SchoolID, id[:], a.Status, a.Location, a.ContentType, a.ETag, body,
		pq.Array(pgdb.IDStrings(a.Mentions())))
	if err == nil && n == 0 {
		return fmt.Errorf("postgres: the transaction has not taken the request %x", id)
	}
	return err
}

// EraseOfPerson implements ports.ReplayRepo.
func (c replayRepo) EraseOfPerson(ctx context.Context, id person.ID) error {
	_, err := c.Exec(ctx, eraseReplays, c.SchoolID, id.UUID, replay.Erased)
	return err
}

// SweepReplays implements ports.Schools.
func (c schools) SweepReplays(ctx context.Context, until time.Time, most int) (int, error) {
	return c.Exec(ctx, sweepReplays, until, most)
}

// Forget removes old records.
func (c replayRepo) Forget(ctx context.Context, until time.Time, most int) (int, error) {
	return c.Exec(ctx, forgetReplays, c.SchoolID, until, most)
}
