package memory

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/adapters/memory/tables"
	"lyceum/domain/coupon"
	"lyceum/domain/text"
	"lyceum/ports"
)

var _ ports.CouponRepo = coupons{}

var couponKind = ordered.Kind[coupon.State]{
	Name:   coupon.Type,
	Schema: coupon.Schema,
	ID:     func(c *coupon.State) uuid.UUID { return c.ID.UUID },
	Clone: func(c coupon.State) coupon.State {
		c.EndOn = tables.ClonePointer(c.EndOn)
		return c
	},
	Unique: []ordered.Unique[coupon.State]{
		{Field: "code", Text: func(c *coupon.State) string { return c.Code }, Key: text.UniqueKey},
	},
}

var couponEntity = entity[coupon.ID, coupon.State, coupon.Coupon]{
	table:   func(s *state) *versioned[*ordered.Table[coupon.State]] { return &s.coupons },
	restore: coupon.Restore,
	write:   func(row *coupon.State, c coupon.Coupon) { *row = c.State() },
}

type coupons struct {
	entityRepo[coupon.ID, coupon.State, coupon.Coupon]
}

// IDsByCode implements ports.CouponRepo.
func (r coupons) IDsByCode(ctx context.Context, codes []string) (map[string]coupon.ID, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	return ordered.Holders(s.coupons.table, "code", codes, func(c coupon.State) coupon.ID { return c.ID }), nil
}

// Delete implements ports.CouponRepo.
func (r coupons) Delete(ctx context.Context, id coupon.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	if s.redemptions.table.Rows.Within("coupon.id", id.UUID).Length() > 0 {
		return fmt.Errorf("memory: the coupon %s has redemptions", id)
	}
	return s.coupons.writable(s.version).Remove(id.UUID)
}
