package postgres

import (
	"context"
	"fmt"

	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/fault"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
)

var _ ports.KeyRepo = keyRepo{}

// keyReader is the keys of one school.
type keyReader struct{ *session }

const (
	getKey = `SELECT ` + keyColumns + ` FROM api_keys WHERE school_id = $1 AND id = $2`
	// In the order of their ids everybody locks them, so that nobody waits for
	// who waits for them.
	lockKeys = `SELECT ` + keyColumns + ` FROM (
			SELECT * FROM api_keys WHERE school_id = $1 ORDER BY id FOR NO KEY UPDATE
		) k ORDER BY created_at, id`
	saveKey = `UPDATE api_keys SET name = $3, expires_at = $4, revoked_at = $5 WHERE school_id = $1 AND id = $2`
)

// List returns a page of the keys. They are few, so all are read: a name of
// theirs needs no column for its fold.
func (c keyReader) List(ctx context.Context, q query.Query) (query.Result[school.Key], error) {
	all, err := keysIn(ctx, c.session, keysOf, c.SchoolID)
	if err != nil {
		return query.Result[school.Key]{}, err
	}
	return school.KeySchema.Evaluate(q, all), nil
}

// Get returns the key id.
func (c keyReader) Get(ctx context.Context, id school.KeyID) (school.Key, error) {
	var row keyRow
	if err := c.GetRow(ctx, &row, getKey, c.SchoolID, id.UUID); err != nil {
		return school.Key{}, pgdb.Missing(err)
	}
	return row.key()
}

type keyRepo struct{ keyReader }

// All returns every key and locks them.
func (c keyRepo) All(ctx context.Context) ([]school.Key, error) {
	return keysIn(ctx, c.session, lockKeys, c.SchoolID)
}

// Add keeps a new key.
func (c keyRepo) Add(ctx context.Context, k school.Key) error {
	if k.School.UUID != c.SchoolID {
		return fmt.Errorf("postgres: key %s is of another school than the transaction", k.ID)
	}
	return schools{c.session}.AddKey(ctx, k)
}

// Save keeps what may change of a key.
func (c keyRepo) Save(ctx context.Context, k school.Key) error {
	n, err := c.Exec(ctx, saveKey, c.SchoolID, k.ID.UUID, k.Name, k.ExpiresAt, k.RevokedAt)
	if err == nil && n == 0 {
		return fault.Missing()
	}
	return err
}
