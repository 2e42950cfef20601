package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
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

// Get implements ports.InvitationReader.
func (r invitationReader) Get(ctx context.Context, id person.ID) (invitation.Invitation, error) {
	var row struct {
		Letter  uuid.UUID `db:"message_id"`
		AskedAt time.Time `db:"requested_at"`
	}
	if err := r.GetRow(ctx, &row, invitationOf, r.SchoolID, id.UUID); err != nil {
		return invitation.Invitation{}, pgdb.Missing(err)
	}
	return invitation.Invitation{Person: id, MessageID: job.ID{UUID: row.Letter}, RequestedAt: row.AskedAt.UTC()}, nil
}

type invitationRepo struct{ invitationReader }

var invitationTable = newTable("invitations", []column[invitation.Invitation]{
	{"person_id", "uuid", func(i invitation.Invitation) any { return i.Person.UUID }},
	{"message_id", "uuid", func(i invitation.Invitation) any { return i.MessageID.UUID }},
	{"requested_at", "timestamptz", func(i invitation.Invitation) any { return i.RequestedAt }},
})

var linkTable = newTable("invitation_links", []column[invitation.Link]{
	{"hash", "bytea", func(l invitation.Link) any { return l.Hash[:] }},
	{"person_id", "uuid", func(l invitation.Link) any { return l.Person.UUID }},
	{"message_id", "uuid", func(l invitation.Link) any { return l.MessageID.UUID }},
	{"created_at", "timestamptz", func(l invitation.Link) any { return l.CreatedAt }},
	{"expires_at", "timestamptz", func(l invitation.Link) any { return l.ExpiresAt }},
})

var upsertInvitations = invitationTable.insertMany + `
	ON CONFLICT (school_id, person_id) DO UPDATE SET message_id = excluded.message_id, requested_at = excluded.requested_at`

const (
	expireLinks = `
		UPDATE invitation_links SET expires_at = $3 WHERE school_id = $1 AND person_id = $2 AND expires_at > $3`
	deleteLinksOf      = `DELETE FROM invitation_links WHERE school_id = $1 AND person_id = $2`
	deleteInvitationOf = `DELETE FROM invitations WHERE school_id = $1 AND person_id = $2`
	getLink            = `
		SELECT school_id, person_id, message_id, created_at, expires_at FROM invitation_links WHERE hash = $1`
	getLinkOfSchool = getLink + ` AND school_id = $2`
)

// Upsert implements ports.InvitationRepo.
func (r invitationRepo) Upsert(ctx context.Context, is []invitation.Invitation) error {
	return r.write(ctx, upsertInvitations, invitationTable.arrays(r.SchoolID, is)...)
}

// AddLink implements ports.InvitationRepo.
func (r invitationRepo) AddLink(ctx context.Context, l invitation.Link) error {
	if l.School.UUID != r.SchoolID {
		return fmt.Errorf("postgres: a link belongs to a different school than the transaction")
	}
	return insert(ctx, r.session, linkTable, l)
}

// ExpireLinks implements ports.InvitationRepo.
func (r invitationRepo) ExpireLinks(ctx context.Context, id person.ID, at time.Time) error {
	return r.write(ctx, expireLinks, r.SchoolID, id.UUID, at)
}

// DeleteByPerson implements ports.InvitationRepo.
func (r invitationRepo) DeleteByPerson(ctx context.Context, id person.ID) error {
	return r.writeAll(ctx, []string{deleteLinksOf, deleteInvitationOf}, r.SchoolID, id.UUID)
}

// Link implements ports.InvitationRepo.
func (r invitationRepo) Link(ctx context.Context, h invitation.Hash) (invitation.Link, error) {
	var row invitationLinkRow
	err := r.GetRow(ctx, &row, getLinkOfSchool, h[:], r.SchoolID)
	return row.link(h), pgdb.Missing(err)
}

// InvitationLinkByHash implements ports.Schools.
func (r schools) InvitationLinkByHash(ctx context.Context, h invitation.Hash) (invitation.Link, error) {
	var row invitationLinkRow
	err := r.GetRow(ctx, &row, getLink, h[:])
	return row.link(h), pgdb.Missing(err)
}

type invitationLinkRow struct {
	School    uuid.UUID `db:"school_id"`
	Person    uuid.UUID `db:"person_id"`
	MessageID uuid.UUID `db:"message_id"`
	CreatedAt time.Time `db:"created_at"`
	ExpiresAt time.Time `db:"expires_at"`
}

// link returns the link of the row, which has the hash h.
func (r invitationLinkRow) link(h invitation.Hash) invitation.Link {
	return invitation.Link{
		School: school.ID{UUID: r.School}, Hash: h, Person: person.ID{UUID: r.Person}, MessageID: job.ID{UUID: r.MessageID},
		CreatedAt: r.CreatedAt.UTC(), ExpiresAt: r.ExpiresAt.UTC(),
	}
}

var _ ports.DeliveryRepo = deliveryRepo{}

type deliveryRepo struct{ *session }

const (
	// lockDay locks the row of the school by an update that changes no value. The first call
	// inserts the row.
	lockDay = `
		INSERT INTO invitation_days (school_id, started_at, messages) VALUES ($1, $2, 0)
		ON CONFLICT (school_id) DO UPDATE SET messages = invitation_days.messages RETURNING started_at, messages`
	saveDay      = `UPDATE invitation_days SET started_at = $2, messages = $3 WHERE school_id = $1`
	lastDelivery = `SELECT message_id, sent_at FROM invitation_deliveries WHERE school_id = $1 AND address = $2`
	saveDelivery = `
		INSERT INTO invitation_deliveries (school_id, address, message_id, sent_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (school_id, address) DO UPDATE SET message_id = excluded.message_id, sent_at = excluded.sent_at`
	deleteExpiredDeliveries = `
		WITH old AS MATERIALIZED ( -- of every school
			SELECT school_id, address FROM invitation_deliveries WHERE sent_at <= $1
			ORDER BY sent_at LIMIT $2 FOR UPDATE SKIP LOCKED
		)
		DELETE FROM invitation_deliveries d USING old WHERE d.school_id = old.school_id AND d.address = old.address`
)

// GetDayForUpdate implements ports.DeliveryRepo.
func (r deliveryRepo) GetDayForUpdate(ctx context.Context) (invitation.Day, error) {
	var row struct {
		StartedAt time.Time `db:"started_at"`
		Messages  int       `db:"messages"`
	}
	err := r.GetRow(ctx, &row, lockDay, r.SchoolID, time.Time{})
	return invitation.Day{Start: row.StartedAt.UTC(), Messages: row.Messages}, err
}

// Last implements ports.DeliveryRepo.
func (r deliveryRepo) Last(ctx context.Context, a invitation.Address) (invitation.Delivery, error) {
	var row struct {
		MessageID uuid.UUID `db:"message_id"`
		SentAt    time.Time `db:"sent_at"`
	}
	if err := r.GetRow(ctx, &row, lastDelivery, r.SchoolID, a[:]); err != nil {
		return invitation.Delivery{}, pgdb.Missing(err)
	}
	return invitation.Delivery{Address: a, MessageID: job.ID{UUID: row.MessageID}, At: row.SentAt.UTC()}, nil
}

// Save implements ports.DeliveryRepo.
func (r deliveryRepo) Save(ctx context.Context, d invitation.Day, l invitation.Delivery) error {
	if err := r.write(ctx, saveDay, r.SchoolID, d.Start, d.Messages); err != nil {
		return err
	}
	return r.write(ctx, saveDelivery, r.SchoolID, l.Address[:], l.MessageID.UUID, l.At)
}

// DeleteExpiredDeliveries implements ports.Schools.
func (r schools) DeleteExpiredDeliveries(ctx context.Context, until time.Time, most int) (int, error) {
	return r.Exec(ctx, deleteExpiredDeliveries, until, most)
}
