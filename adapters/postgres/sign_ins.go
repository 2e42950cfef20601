package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"lyceum/adapters/postgres/listsql"
	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/domain/signin"
	"lyceum/ports"
)

var _ ports.SignInRepo = signInRepo{}

type sessionRow struct {
	ID        uuid.UUID `db:"id"`
	Hash      []byte    `db:"hash"`
	Person    uuid.UUID `db:"person_id"`
	Device    string    `db:"device"`
	CreatedAt time.Time `db:"created_at"`
	UsedAt    time.Time `db:"used_at"`
	ExpiresAt time.Time `db:"expires_at"`
}

func (r sessionRow) session() (signin.Session, error) {
	s := signin.Session{
		ID: signin.SessionID{UUID: r.ID}, Person: person.ID{UUID: r.Person}, Device: r.Device,
		CreatedAt: r.CreatedAt.UTC(), UsedAt: r.UsedAt.UTC(), ExpiresAt: r.ExpiresAt.UTC(),
	}
	copy(s.Hash[:], r.Hash)
	return s, nil
}

type linkRow struct {
	ID        uuid.UUID    `db:"id"`
	Address   []byte       `db:"address"`
	Email     string       `db:"email"`
	Hash      []byte       `db:"hash"`
	Mailed    bool         `db:"mailed"`
	ForKnown  bool         `db:"for_known"`
	Return    string       `db:"return_to"`
	CreatedAt time.Time    `db:"created_at"`
	ExpiresAt time.Time    `db:"expires_at"`
	UsedAt    sql.NullTime `db:"used_at"`
}

func (r linkRow) link() (signin.Link, error) {
	l := signin.Link{
		ID: signin.LinkID{UUID: r.ID}, Email: r.Email, Mailed: r.Mailed, ForKnown: r.ForKnown, Return: r.Return,
		CreatedAt: r.CreatedAt.UTC(), ExpiresAt: r.ExpiresAt.UTC(), UsedAt: r.UsedAt.Time.UTC(),
	}
	copy(l.Address[:], r.Address)
	copy(l.Hash[:], r.Hash)
	return l, nil
}

var sessionTable = newTable("sessions", []column[signin.Session]{
	{"id", "uuid", func(s signin.Session) any { return s.ID.UUID }},
	{"hash", "bytea", func(s signin.Session) any { return s.Hash[:] }},
	{"person_id", "uuid", func(s signin.Session) any { return s.Person.UUID }},
	{"device", "text", func(s signin.Session) any { return s.Device }},
	{"created_at", "timestamptz", func(s signin.Session) any { return s.CreatedAt }},
	{"used_at", "timestamptz", func(s signin.Session) any { return s.UsedAt }},
	{"expires_at", "timestamptz", func(s signin.Session) any { return s.ExpiresAt }},
})

var (
	sessionByHash = `SELECT ` + listsql.RowColumns[sessionRow]() + ` FROM sessions r WHERE r.school_id = $1 AND ` + hasHash
	sessionsOf    = `SELECT ` + listsql.RowColumns[sessionRow]() + ` FROM sessions r WHERE r.school_id = $1 AND r.person_id = $2
		ORDER BY r.created_at DESC, r.id`
	signInLinkColumns = `SELECT ` + listsql.RowColumns[linkRow]() + ` FROM sign_in_links r WHERE r.school_id = $1 AND `
	signInLinkByHash  = signInLinkColumns + hasHash
	lockSignInLink    = signInLinkColumns + `r.id = $2 FOR UPDATE`
)

const (
	saveSession   = `UPDATE sessions SET used_at = $3, expires_at = $4 WHERE school_id = $1 AND id = $2`
	deleteSession = `DELETE FROM sessions WHERE school_id = $1 AND person_id = $2 AND id = $3`
	// deleteOldSessions deletes all sessions of a person except the session $3 and the $4 newest
	// others.
	deleteOldSessions = `DELETE FROM sessions WHERE school_id = $1 AND id = ANY (ARRAY (
		SELECT id FROM (
			SELECT id FROM sessions WHERE school_id = $1 AND person_id = $2 AND id <> $3 ORDER BY created_at DESC, id OFFSET $4
		) old JOIN sessions s USING (id) WHERE s.school_id = $1 FOR UPDATE OF s SKIP LOCKED))`
	endSessionsOf = `DELETE FROM sessions WHERE school_id = $1 AND person_id = $2`
	addSignInLink = `
		INSERT INTO sign_in_links (school_id, id, address, email, mailed, for_known, hash, return_to, created_at, expires_at, used_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (school_id, hash) DO NOTHING`
	saveSignInLink = `UPDATE sign_in_links SET email = $3, hash = $4, expires_at = $5, used_at = $6, return_to = $7 WHERE school_id = $1 AND id = $2`
	signInRequests = `SELECT count(*) FILTER (WHERE created_at >= $3) AS requests, max(created_at) AS last
		FROM sign_in_links WHERE school_id = $1 AND address = $2 AND mailed AND (NOT for_known OR $4)`
	revokeSignInLinks = `UPDATE sign_in_links SET email = '', return_to = '', hash = NULL, expires_at = LEAST(expires_at, $3) WHERE school_id = $1 AND address = $2`
)

// deleteExpired returns the statement that deletes the oldest expired rows of a table, at most $2,
// in all schools.
func deleteExpired(table string) string {
	return fmt.Sprintf(`DELETE FROM %[1]s WHERE ctid = ANY (ARRAY (
		SELECT ctid FROM %[1]s WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))`, table)
}

type signInReader struct{ *session }

// Session implements ports.SignInReader.
func (r signInReader) Session(ctx context.Context, h signin.Hash) (signin.Session, error) {
	return getOne(ctx, r.session, sessionRow.session, sessionByHash, r.SchoolID, h[:])
}

// Sessions implements ports.SignInReader.
func (r signInReader) Sessions(ctx context.Context, id person.ID) ([]signin.Session, error) {
	return getAll(ctx, r.session, sessionRow.session, sessionsOf, r.SchoolID, id.UUID)
}

// Link implements ports.SignInReader.
func (r signInReader) Link(ctx context.Context, h signin.Hash) (signin.Link, error) {
	return getOne(ctx, r.session, linkRow.link, signInLinkByHash, r.SchoolID, h[:])
}

type signInRepo struct{ signInReader }

// AddSession implements ports.SignInRepo.
func (r signInRepo) AddSession(ctx context.Context, s signin.Session, max int) error {
	if err := insert(ctx, r.session, sessionTable, s); err != nil {
		return err
	}
	return r.write(ctx, deleteOldSessions, r.SchoolID, s.Person.UUID, s.ID.UUID, max-1)
}

// SaveSession implements ports.SignInRepo.
func (r signInRepo) SaveSession(ctx context.Context, s signin.Session) error {
	return r.writeOne(ctx, saveSession, r.SchoolID, s.ID.UUID, s.UsedAt, s.ExpiresAt)
}

// DeleteSession implements ports.SignInRepo.
func (r signInRepo) DeleteSession(ctx context.Context, p person.ID, id signin.SessionID) error {
	return r.write(ctx, deleteSession, r.SchoolID, p.UUID, id.UUID)
}

// DeleteSessions implements ports.SignInRepo.
func (r signInRepo) DeleteSessions(ctx context.Context, p person.ID) error {
	return r.write(ctx, endSessionsOf, r.SchoolID, p.UUID)
}

// AddLink implements ports.SignInRepo.
func (r signInRepo) AddLink(ctx context.Context, l signin.Link) error {
	n, err := r.Exec(ctx, addSignInLink, r.SchoolID, l.ID.UUID, l.Address[:], l.Email, l.Mailed, l.ForKnown, storedHash(l.Hash), l.Return, l.CreatedAt,
		l.ExpiresAt, sql.NullTime{Time: l.UsedAt, Valid: !l.UsedAt.IsZero()})
	if err == nil && n == 0 {
		err = fmt.Errorf("postgres: sign-in links: %w", ports.ErrExists)
	}
	return err
}

// LinkForUpdate implements ports.SignInRepo.
func (r signInRepo) LinkForUpdate(ctx context.Context, id signin.LinkID) (signin.Link, error) {
	return getOne(ctx, r.session, linkRow.link, lockSignInLink, r.SchoolID, id.UUID)
}

// SaveLink implements ports.SignInRepo.
func (r signInRepo) SaveLink(ctx context.Context, l signin.Link) error {
	err := r.writeOne(ctx, saveSignInLink, r.SchoolID, l.ID.UUID, l.Email, storedHash(l.Hash), l.ExpiresAt,
		sql.NullTime{Time: l.UsedAt, Valid: !l.UsedAt.IsZero()}, l.Return)
	if pq.As(err, pqerror.UniqueViolation) != nil {
		return fmt.Errorf("postgres: sign-in links: %w", ports.ErrExists)
	}
	return err
}

// Requests implements ports.SignInRepo.
func (r signInRepo) Requests(ctx context.Context, a invitation.Address, since time.Time, forKnown bool) (int, time.Time, error) {
	var found struct {
		Requests int          `db:"requests"`
		Last     sql.NullTime `db:"last"`
	}
	err := r.GetRow(ctx, &found, signInRequests, r.SchoolID, a[:], since, forKnown)
	return found.Requests, found.Last.Time.UTC(), err
}

// RevokeLinks implements ports.SignInRepo.
func (r signInRepo) RevokeLinks(ctx context.Context, a invitation.Address, at time.Time) error {
	return r.write(ctx, revokeSignInLinks, r.SchoolID, a[:], at)
}

// storedHash returns the hash of a link for its column: null if the link is not sent yet.
func storedHash(h signin.Hash) []byte {
	if h == (signin.Hash{}) {
		return nil
	}
	return h[:]
}

// DeleteExpiredSignIns implements ports.Schools.
func (r schools) DeleteExpiredSignIns(ctx context.Context, before time.Time, limit int) (int, error) {
	sessions, err := r.Exec(ctx, deleteExpired("sessions"), before, limit)
	if err != nil {
		return sessions, err
	}
	links, err := r.Exec(ctx, deleteExpired("sign_in_links"), before, limit)
	if err != nil {
		return max(sessions, links), err
	}
	tokens, err := r.Exec(ctx, deleteExpired("learner_tokens"), before, limit)
	return max(sessions, links, tokens), err
}
