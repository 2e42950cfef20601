package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/token"
	"lyceum/ports"
)

var _ ports.TokenRepo = tokenRepo{}

type tokenReader struct{ *session }

var tokenTable = newTable("learner_tokens", []column[token.Token]{
	{"hash", "bytea", func(t token.Token) any { return t.Hash[:] }},
	{"id", "uuid", func(t token.Token) any { return t.ID.UUID }},
	{"person_id", "uuid", func(t token.Token) any { return t.Person.UUID }},
	{"created_at", "timestamptz", func(t token.Token) any { return t.CreatedAt }},
	{"expires_at", "timestamptz", func(t token.Token) any { return t.ExpiresAt }},
})

// hasHash is the condition of a lookup of the only row r of a school with the hash $2. Only the index on
// the hash has its order. In a nearly empty table, all indexes that begin with the school cost the
// same, and a session keeps the plan while the table grows.
const hasHash = `r.hash BETWEEN $2 AND $2 ORDER BY r.hash LIMIT 1`

const (
	// getTokenByHash also selects the school, so that authentication costs one round trip.
	getTokenByHash = `
		SELECT r.id, r.person_id, r.created_at, r.expires_at,
			s.id AS "school.id", s.name AS "school.name", s.auth AS "school.auth",
			s.created_at AS "school.created_at", s.updated_at AS "school.updated_at", s.properties AS "school.properties",
			s.suspended_at AS "school.suspended_at"
		FROM learner_tokens r JOIN schools s ON s.id = r.school_id WHERE r.school_id = $1 AND ` + hasHash
	pruneTokens = `
		DELETE FROM learner_tokens WHERE school_id = $1 AND person_id = $2 AND (expires_at <= $3 OR hash NOT IN (
			SELECT hash FROM learner_tokens WHERE school_id = $1 AND person_id = $2 AND expires_at > $3
			ORDER BY created_at DESC, id DESC LIMIT $4))`
	deleteTokensOf = `DELETE FROM learner_tokens WHERE school_id = $1 AND person_id = $2`
)

// ByHash implements ports.TokenReader.
func (r tokenReader) ByHash(ctx context.Context, h token.Hash) (token.Token, school.School, error) {
	var row struct {
		ID        uuid.UUID `db:"id"`
		Person    uuid.UUID `db:"person_id"`
		CreatedAt time.Time `db:"created_at"`
		ExpiresAt time.Time `db:"expires_at"`
		Owner     schoolRow `db:"school"`
	}
	if err := r.GetRow(pgdb.OnPrimary(ctx), &row, getTokenByHash, r.SchoolID, h[:]); err != nil {
		return token.Token{}, school.School{}, pgdb.Missing(err)
	}
	owner, err := row.Owner.school()
	return token.Token{
		ID: token.ID{UUID: row.ID}, School: school.ID{UUID: r.SchoolID}, Person: person.ID{UUID: row.Person}, Hash: h,
		CreatedAt: row.CreatedAt.UTC(), ExpiresAt: row.ExpiresAt.UTC(),
	}, owner, err
}

type tokenRepo struct{ tokenReader }

// Add implements ports.TokenRepo.
func (r tokenRepo) Add(ctx context.Context, t token.Token) error {
	if t.School.UUID != r.SchoolID {
		return fmt.Errorf("postgres: token %s belongs to a different school than the transaction", t.ID)
	}
	return insert(ctx, r.session, tokenTable, t)
}

// Prune implements ports.TokenRepo.
func (r tokenRepo) Prune(ctx context.Context, p person.ID, now time.Time, keep int) error {
	return r.write(ctx, pruneTokens, r.SchoolID, p.UUID, now, keep)
}

// DeleteByPerson implements ports.TokenRepo.
func (r tokenRepo) DeleteByPerson(ctx context.Context, p person.ID) error {
	return r.write(ctx, deleteTokensOf, r.SchoolID, p.UUID)
}
