package memory

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/adapters/memory/tables"
	"lyceum/domain/coupon"
	"lyceum/domain/person"
	"lyceum/domain/redemption"
	"lyceum/ports"
)

var (
	_ ports.RedemptionReader = redemptionReader{}
	_ ports.RedemptionRepo   = redemptions{}
)

type redemptionReader = recordReader[redemption.ID, *redemption.Redemption, redemption.Summary]

func redemptionsIn(v view) redemptionReader {
	return redemptionReader{
		v, func(s *state) ordered.Records[*redemption.Redemption] { return s.redemptions.table },
		redemption.Schema, (*state).redemption,
	}
}

func newRedemptions() ordered.Records[*redemption.Redemption] {
	return tables.NewRecords(
		func(r *redemption.Redemption) uuid.UUID { return r.ID.UUID },
		func(r *redemption.Redemption) time.Time { return r.CreatedAt },
		[]ordered.Section[*redemption.Redemption]{
			{Attr: "coupon.id", ID: func(r *redemption.Redemption) uuid.UUID { return r.Coupon.UUID }},
			{Attr: "person.id", ID: func(r *redemption.Redemption) uuid.UUID { return r.Person.UUID }},
		}...,
	)
}

type redemptions struct {
	redemptionReader
	tx *tx
}

// Add implements ports.RedemptionRepo.
func (r redemptions) Add(ctx context.Context, added redemption.Redemption) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	if !s.coupons.table.Has(added.Coupon.UUID) {
		return fmt.Errorf("memory: the redemption %s references an unknown coupon", added.ID)
	}
	if !s.people.table.Has(added.Person.UUID) {
		return fmt.Errorf("memory: the redemption %s references an unknown person", added.ID)
	}
	if s.redemptions.table.Has(added.ID.UUID) {
		return fmt.Errorf("memory: redemptions: duplicate ID %s", added.ID)
	}
	s.redemptions.writable(s.version).Set(&added)
	return nil
}

// DeleteByCoupon implements ports.RedemptionRepo.
func (r redemptions) DeleteByCoupon(ctx context.Context, id coupon.ID, limit int) (int, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	return len(s.redemptions.writable(s.version).RemoveWithin("coupon.id", id.UUID, limit)), nil
}

// DeleteByPerson implements ports.RedemptionRepo.
func (r redemptions) DeleteByPerson(ctx context.Context, id person.ID, limit int) (int, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	return len(s.redemptions.writable(s.version).RemoveWithin("person.id", id.UUID, limit)), nil
}

// redemption returns the summary of kept with the current name and email of its person.
func (s *state) redemption(kept *redemption.Redemption) redemption.Summary {
	p, _ := s.people.table.ByID.Get(kept.Person.UUID)
	return redemption.Summary{Redemption: *kept, PersonName: p.Row.FullName(), PersonEmail: p.Row.Email}
}
