package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/ports"
)

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
func (c deliveryRepo) GetDayForUpdate(ctx context.Context) (invitation.Day, error) {
	var row struct {
		StartedAt time.Time `db:"started_at"`
		Messages  int       `db:"messages"`
	}
	err := c.GetRow(ctx, &row, lockDay, c.SchoolID, time.Time{})
	return invitation.Day{Start: row.StartedAt.UTC(), Messages: row.Messages}, err
}

// Last implements ports.DeliveryRepo.
func (c deliveryRepo) Last(ctx context.Context, a invitation.Address) (invitation.Delivery, error) {
	var row struct {
		MessageID uuid.UUID `db:"message_id"`
		SentAt    time.Time `db:"sent_at"`
	}
	if err := c.GetRow(ctx, &row, lastDelivery, c.SchoolID, a[:]); err != nil {
		return invitation.Delivery{}, pgdb.Missing(err)
	}
	return invitation.Delivery{Address: a, MessageID: job.ID{UUID: row.MessageID}, At: row.SentAt.UTC()}, nil
}

// Save implements ports.DeliveryRepo.
func (c deliveryRepo) Save(ctx context.Context, d invitation.Day, l invitation.Delivery) error {
	if err := c.write(ctx, saveDay, c.SchoolID, d.Start, d.Messages); err != nil {
		return err
	}
	return c.write(ctx, saveDelivery, c.SchoolID, l.Address[:], l.MessageID.UUID, l.At)
}

// DeleteExpiredDeliveries implements ports.Schools.
func (c schools) DeleteExpiredDeliveries(ctx context.Context, until time.Time, most int) (int, error) {
	return c.Exec(ctx, deleteExpiredDeliveries, until, most)
}
