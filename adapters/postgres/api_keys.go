package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/fault"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
)

var _ ports.KeyRepo = keyRepo{}

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
		CreatedAt: r.CreatedAt.UTC(), LastUsed: pgdb.UTC(r.LastUsed), ExpiresAt: pgdb.UTC(r.ExpiresAt), RevokedAt: pgdb.UTC(r.RevokedAt),
	}
	copy(k.Hash[:], r.Hash)
	return k, nil
}

var keyColumns = listsql.RowColumns[keyRow]()

var keyTable = newTable("api_keys", []column[school.Key]{
	{"id", "uuid", func(k school.Key) any { return k.ID.UUID }},
	{"name", "text", func(k school.Key) any { return k.Name }},
	{"hash", "bytea", func(k school.Key) any { return k.Hash[:] }},
	{"prefix", "text", func(k school.Key) any { return k.Prefix }},
	{"scope", "text", func(k school.Key) any { return k.Scope.String() }},
	{"created_at", "timestamptz", func(k school.Key) any { return k.CreatedAt }},
	{"last_used", "timestamptz", func(k school.Key) any { return k.LastUsed }},
	{"expires_at", "timestamptz", func(k school.Key) any { return k.ExpiresAt }},
	{"revoked_at", "timestamptz", func(k school.Key) any { return k.RevokedAt }},
})

var (
	keysOf = `SELECT ` + keyColumns + ` FROM api_keys r WHERE r.school_id = $1 ORDER BY r.created_at, r.id`
	// getKeyByHash also selects the school, so that authentication costs one round trip.
	getKeyByHash = `
		SELECT ` + keyColumns + `,
			s.id AS "school.id", s.name AS "school.name", s.auth AS "school.auth",
			s.created_at AS "school.created_at", s.updated_at AS "school.updated_at", s.properties AS "school.properties",
			s.suspended_at AS "school.suspended_at", s.slug AS "school.slug", s.public_covers AS "school.public_covers",
			s.admits_new_people AS "school.admits_new_people", s.entry_secret AS "school.entry_secret", s.sso_issuer AS "school.sso_issuer",
			s.sso_client_id AS "school.sso_client_id", s.sso_client_secret AS "school.sso_client_secret"
		FROM api_keys r JOIN schools s ON s.id = r.school_id WHERE r.hash = $1`
	getKey         = `SELECT ` + keyColumns + ` FROM api_keys r WHERE r.school_id = $1 AND r.id = $2`
	getKeyForShare = getKey + ` FOR SHARE`
	// lockKeys locks keys in the order of their IDs, as all transactions do, so that they do not
	// deadlock.
	lockKeys = `SELECT ` + keyColumns + ` FROM (
			SELECT * FROM api_keys WHERE school_id = $1 ORDER BY id FOR NO KEY UPDATE
		) r ORDER BY r.created_at, r.id`
)

const (
	saveKey    = `UPDATE api_keys SET name = $3, expires_at = $4, revoked_at = $5 WHERE school_id = $1 AND id = $2`
	ownerOfKey = `SELECT school_id FROM api_keys WHERE id = $1`
	// touchKey skips a locked row and does not wait for the disk or a synchronous standby.
	touchKey = `
		UPDATE api_keys k SET last_used = $2 FROM (
			SELECT id FROM api_keys, (SELECT set_config('synchronous_commit', 'off', true) AS mode) s
			WHERE id = $1 AND (last_used IS NULL OR last_used < $2) AND s.mode = 'off'
			FOR NO KEY UPDATE OF api_keys SKIP LOCKED
		) free WHERE k.id = free.id`
)

// ListKeys implements ports.Schools.
func (r schools) ListKeys(ctx context.Context, id school.ID) ([]school.Key, error) {
	return getAll(ctx, r.session, keyRow.key, keysOf, id.UUID)
}

// KeyByHash implements ports.Schools.
func (r schools) KeyByHash(ctx context.Context, h school.Hash) (school.Key, school.School, error) {
	var row struct {
		keyRow
		Owner schoolRow `db:"school"`
	}
	if err := r.GetRow(pgdb.OnPrimary(ctx), &row, getKeyByHash, h[:]); err != nil {
		return school.Key{}, school.School{}, pgdb.Missing(err)
	}
	s, errSchool := row.Owner.school()
	k, errKey := row.key()
	return k, s, errors.Join(errSchool, errKey)
}

// OwnerOfKey implements ports.Schools.
func (r schools) OwnerOfKey(ctx context.Context, id school.KeyID) (school.ID, error) {
	found, err := getIDs[school.ID](ctx, r.session, ownerOfKey, id.UUID)
	if err == nil && len(found) == 0 {
		err = fault.RecordNotFound()
	}
	if err != nil {
		return school.ID{}, err
	}
	return found[0], nil
}

// TouchKey implements ports.Schools.
func (r schools) TouchKey(ctx context.Context, id school.KeyID, at time.Time) error {
	return r.write(ctx, touchKey, id.UUID, at)
}

// keyReader reads the keys of one school.
type keyReader struct{ *session }

// List implements ports.KeyReader. A school has few keys, so List reads all of them and filters
// them in memory. Therefore the table needs no fold column for names.
func (r keyReader) List(ctx context.Context, q query.Query) (query.Result[school.Key], error) {
	all, err := getAll(ctx, r.session, keyRow.key, keysOf, r.SchoolID)
	if err != nil {
		return query.Result[school.Key]{}, err
	}
	return school.KeySchema.Evaluate(q, all), nil
}

// Get implements ports.KeyReader.
func (r keyReader) Get(ctx context.Context, id school.KeyID) (school.Key, error) {
	return getOne(ctx, r.session, keyRow.key, getKey, r.SchoolID, id.UUID)
}

type keyRepo struct{ keyReader }

// GetForShare implements ports.KeyRepo.
func (r keyRepo) GetForShare(ctx context.Context, id school.KeyID) (school.Key, error) {
	return getOne(ctx, r.session, keyRow.key, getKeyForShare, r.SchoolID, id.UUID)
}

// GetAllForUpdate implements ports.KeyRepo.
func (r keyRepo) GetAllForUpdate(ctx context.Context) ([]school.Key, error) {
	return getAll(ctx, r.session, keyRow.key, lockKeys, r.SchoolID)
}

// Add implements ports.KeyRepo.
func (r keyRepo) Add(ctx context.Context, k school.Key) error {
	if k.School.UUID != r.SchoolID {
		return fmt.Errorf("postgres: key %s belongs to a different school than the transaction", k.ID)
	}
	return r.write(ctx, keyTable.insert, keyTable.args(r.SchoolID, k)...)
}

// Save implements ports.KeyRepo.
func (r keyRepo) Save(ctx context.Context, k school.Key) error {
	return r.writeOne(ctx, saveKey, r.SchoolID, k.ID.UUID, k.Name, k.ExpiresAt, k.RevokedAt)
}
