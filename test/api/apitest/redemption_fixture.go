package apitest

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/coupon"
	"lyceum/domain/invitation"
	queued "lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/redemption"
	"lyceum/domain/school"
	"lyceum/ports"
)

// saveRedemption saves a redemption of a coupon. The usage count of the coupon already includes it.
func (s *server) saveRedemption(t *testing.T, in school.ID, id, of, by string) {
	t.Helper()
	err := s.store.InTx(t.Context(), in, func(ctx context.Context, tx ports.Tx) error {
		return tx.Redemptions.Add(ctx, redemption.Redemption{
			ID: redemption.ID{UUID: uuid.MustParse(id)}, Coupon: coupon.ID{UUID: uuid.MustParse(of)},
			Person: person.ID{UUID: uuid.MustParse(by)}, CreatedAt: time.Date(2025, 11, 13, 9, 30, 0, 120_000_000, time.UTC),
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// saveInvitation saves an invitation and a link that is valid for a day. Both are dated one hour
// after the current time of the clock, because tests then advance the clock by an hour.
func (s *server) saveInvitation(t *testing.T, in school.ID, message, of, token string) {
	t.Helper()
	at := s.clock.Now().Add(time.Hour)
	i := invitation.Invitation{
		Person: person.ID{UUID: uuid.MustParse(of)}, MessageID: queued.ID{UUID: uuid.MustParse(message)}, RequestedAt: at,
	}
	err := s.store.InTx(t.Context(), in, func(ctx context.Context, tx ports.Tx) error {
		if err := tx.Invitations.Upsert(ctx, []invitation.Invitation{i}); err != nil {
			return err
		}
		return tx.Invitations.AddLink(ctx, invitation.Link{
			School: in, Hash: invitation.HashToken(token), Person: i.Person, MessageID: i.MessageID,
			CreatedAt: at, ExpiresAt: at.Add(24 * time.Hour),
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}
