package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/ports"
)

var _ ports.InvitationRepo = invitationRepo{}

type invitationReader struct{ *session }

const invitationOf = `SELECT message_id, requested_at FROM invitations WHERE school_id = $1 AND person_id = $2`

// Get returns the invitation of a person.
func (c invitationReader) Get(ctx context.Context, id person.ID) (invitation.Invitation, error) {
	var row struct {
		Letter  uuid.UUID `db:"message_id"`
		AskedAt time.Time `db:"requested_at"`
	}
	if err := c.GetRow(ctx, &row, invitationOf, c.SchoolID, id.UUID); err != nil {
		return invitation.Invitation{}, pgdb.Missing(err)
	}
	return invitation.Invitation{Person: id, Letter: job.ID{UUID: row.Letter}, AskedAt: row.AskedAt.UTC()}, nil
}

type invitationRepo struct{ invitationReader }

const (
	putInvitations = `
		INSERT INTO invitations (school_id, person_id, message_id, requested_at)
		SELECT $1, i.* FROM unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) i
		ON CONFLICT (school_id, person_id) DO UPDATE SET message_id = excluded.message_id, requested_at = excluded.requested_at`
	addLink = `
		INSERT INTO invitation_links (school_id, hash, person_id, message_id, created_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6)`
	endLinks = `
		UPDATE invitation_links SET expires_at = $3 WHERE school_id = $1 AND person_id = $2 AND expires_at > $3`
	removeLinksOf      = `DELETE FROM invitation_links WHERE school_id = $1 AND person_id = $2`
	removeInvitationOf = `DELETE FROM invitations WHERE school_id = $1 AND person_id = $2`
	findLink           = `
		SELECT school_id, person_id, message_id, created_at, expires_at FROM invitation_links WHERE hash = $1`
)

// Put keeps invitations in the place of those that there were.
func (c invitationRepo) Put(ctx context.Context, is []invitation.Invitation) error {
	people, letters, asked := make([]string, len(is)), make([]string, len(is)), make([]string, len(is))
	for i, n := range is {
		people[i], letters[i], asked[i] = n.Person.String(), n.Letter.String(), pgdb.Instant(n.AskedAt)
	}
	_, err := c.Exec(ctx, putInvitations, c.SchoolID, pq.Array(people), pq.Array(letters), pq.Array(asked))
	return err
}

// AddLink keeps a new link.
func (c invitationRepo) AddLink(ctx context.Context, l invitation.Link) error {
	if l.School.UUID != c.SchoolID {
		return fmt.Errorf("postgres: a link of another school than the transaction")
	}
	_, err := c.Exec(ctx, addLink, c.SchoolID, l.Hash[:], l.Person.UUID, l.Letter.UUID, l.CreatedAt, l.ExpiresAt)
	return err
}

// EndLinks lets the links of a person expire.
func (c invitationRepo) EndLinks(ctx context.Context, id person.ID, at time.Time) error {
	_, err := c.Exec(ctx, endLinks, c.SchoolID, id.UUID, at)
	return err
}

// RemoveOfPerson forgets the invitation of a person and its links.
func (c invitationRepo) RemoveOfPerson(ctx context.Context, id person.ID) error {
	if _, err := c.Exec(ctx, removeLinksOf, c.SchoolID, id.UUID); err != nil {
		return err
	}
	_, err := c.Exec(ctx, removeInvitationOf, c.SchoolID, id.UUID)
	return err
}

// FindLink returns the link with that hash.
func (c schools) FindLink(ctx context.Context, h invitation.Hash) (invitation.Link, error) {
	var row struct {
		School    uuid.UUID `db:"school_id"`
		Person    uuid.UUID `db:"person_id"`
		Letter    uuid.UUID `db:"message_id"`
		CreatedAt time.Time `db:"created_at"`
		ExpiresAt time.Time `db:"expires_at"`
	}
	if err := c.GetRow(ctx, &row, findLink, h[:]); err != nil {
		return invitation.Link{}, pgdb.Missing(err)
	}
	return invitation.Link{
		School: school.ID{UUID: row.School}, Hash: h, Person: person.ID{UUID: row.Person}, Letter: job.ID{UUID: row.Letter},
		CreatedAt: row.CreatedAt.UTC(), ExpiresAt: row.ExpiresAt.UTC(),
	}, nil
}
