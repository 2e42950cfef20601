package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/fault"
	"lyceum/domain/school"
)

type keyRow struct {
	ID        uuid.UUID  `db:"id"`
	School    uuid.UUID  `db:"school_id"`
	Name      string     `db:"name"`
	Hash      []byte     `db:"hash"`
	Prefix    string     `db:"prefix"`
	Scope     string     `db:"scope"`
	CreatedAt time.Time  `db:"created_at"`
	LastUsed  *time.Time `db:"last_used"`
	ExpiresAt *time.Time `db:"expires_at"`
	RevokedAt *time.Time `db:"revoked_at"`
}

func (r keyRow) key() (school.Key, error) {
	scope, err := school.ParseScope(r.Scope)
	if err != nil {
		return school.Key{}, pgdb.Corrupt("api_keys", r.ID, err)
	}
	k := school.Key{
		ID: school.KeyID{UUID: r.ID}, School: school.ID{UUID: r.School}, Name: r.Name, Prefix: r.Prefix, Scope: scope,
		CreatedAt: r.CreatedAt.UTC(), LastUsed: pgdb.Utc(r.LastUsed), ExpiresAt: pgdb.Utc(r.ExpiresAt), RevokedAt: pgdb.Utc(r.RevokedAt),
	}
	copy(k.Hash[:], r.Hash)
	return k, nil
}

const keyColumns = `id, school_id, name, hash, prefix, scope, created_at, last_used, expires_at, revoked_at`

const (
	addKey = `
		INSERT INTO api_keys (` + keyColumns + `)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
	keysOf = `SELECT ` + keyColumns + ` FROM api_keys WHERE school_id = $1 ORDER BY created_at, id`
	// One statement, so that authentication costs one round trip.
	findKey = `
		SELECT k.id, k.school_id, k.name, k.hash, k.prefix, k.scope, k.created_at, k.last_used,
			k.expires_at, k.revoked_at,
			s.id AS "school.id", s.name AS "school.name", s.auth AS "school.auth",
			s.created_at AS "school.created_at", s.updated_at AS "school.updated_at"
		FROM api_keys k JOIN schools s ON s.id = k.school_id WHERE k.hash = $1`
	revokeKey = `UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1`
	// The request goes on after this statement, so it waits neither for a row lock
	// nor for the disk or a synchronous standby.
	touchKey = `
		UPDATE api_keys k SET last_used = $2 FROM (
			SELECT id FROM api_keys, (SELECT set_config('synchronous_commit', 'off', true) AS mode) s
			WHERE id = $1 AND (last_used IS NULL OR last_used < $2) AND s.mode = 'off'
			FOR NO KEY UPDATE OF api_keys SKIP LOCKED
		) free WHERE k.id = free.id`
)

// AddKey keeps a new key.
func (c schools) AddKey(ctx context.Context, k school.Key) error {
	_, err := c.Exec(ctx, addKey, k.ID.UUID, k.School.UUID, k.Name, k.Hash[:], k.Prefix, k.Scope.String(),
		k.CreatedAt, k.LastUsed, k.ExpiresAt, k.RevokedAt)
	if pq.As(err, pqerror.ForeignKeyViolation) != nil {
		return fault.Missing()
	}
	return err
}

// Keys returns the school's keys.
func (c schools) Keys(ctx context.Context, id school.ID) ([]school.Key, error) {
	return keysIn(ctx, c.session, keysOf, id.UUID)
}

// keysIn returns the keys that the statement finds.
func keysIn(ctx context.Context, c *session, statement string, args ...any) ([]school.Key, error) {
	var rows []keyRow
	if err := c.SelectRows(ctx, &rows, statement, args...); err != nil {
		return nil, err
	}
	found := make([]school.Key, len(rows))
	for i, r := range rows {
		k, err := r.key()
		if err != nil {
			return nil, err
		}
		found[i] = k
	}
	return found, nil
}

// FindKey returns the key with that hash and its school.
func (c schools) FindKey(ctx context.Context, h school.Hash) (school.Key, school.School, error) {
	var row struct {
		keyRow
		Owner schoolRow `db:"school"`
	}
	if err := c.GetRow(ctx, &row, findKey, h[:]); err != nil {
		return school.Key{}, school.School{}, pgdb.Missing(err)
	}
	s, errSchool := row.Owner.SchoolID()
	k, errKey := row.key()
	return k, s, errors.Join(errSchool, errKey)
}

// RevokeKey marks the key as revoked.
func (c schools) RevokeKey(ctx context.Context, id school.KeyID, at time.Time) error {
	n, err := c.Exec(ctx, revokeKey, id.UUID, at)
	if err == nil && n == 0 {
		return fault.Missing()
	}
	return err
}

// TouchKey records a use of the key.
func (c schools) TouchKey(ctx context.Context, id school.KeyID, at time.Time) error {
	_, err := c.Exec(ctx, touchKey, id.UUID, at)
	return err
}
