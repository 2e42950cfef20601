package memory

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/coupon"
	"lyceum/domain/query"
	"lyceum/domain/text"
	"lyceum/ports"
)

var (
	_ ports.CouponReader = couponReader{}
	_ ports.CouponRepo   = coupons{}
)

var couponKind = ordered.Kind[coupon.State]{
	Name:   coupon.Type,
	Schema: coupon.Schema,
	ID:     func(c *coupon.State) uuid.UUID { return c.ID.UUID },
	Clone: func(c coupon.State) coupon.State {
		c.EndOn = clonePointer(c.EndOn)
		return c
	},
	Unique: []ordered.Unique[coupon.State]{
		{Field: "code", Text: func(c *coupon.State) string { return c.Code }, Key: text.Key},
	},
}

type couponReader struct{ view view }

func (r couponReader) List(ctx context.Context, q query.Query) (query.Result[coupon.State], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[coupon.State]{}, err
	}
	return s.coupons.table.List(ctx, q)
}

func (r couponReader) Get(ctx context.Context, id coupon.ID) (coupon.State, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return coupon.State{}, err
	}
	return s.coupons.table.Get(id.UUID)
}

type coupons struct {
	couponReader
	tx *tx
}

func (r coupons) Find(ctx context.Context, id coupon.ID) (coupon.Coupon, error) {
	c, err := r.Get(ctx, id)
	return coupon.Restore(c), err
}

func (r coupons) ByCode(ctx context.Context, codes []string) (map[string]coupon.ID, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	found := make(map[string]coupon.ID, len(codes))
	for _, code := range codes {
		if c, ok := s.coupons.table.Holder("code", code); ok {
			found[text.Key(code)] = c.Row.ID
		}
	}
	return found, nil
}

func (r coupons) Add(ctx context.Context, c coupon.Coupon) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	return s.coupons.own(s.version).Insert(c.State())
}

func (r coupons) Save(ctx context.Context, c coupon.Coupon) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	next := c.State()
	return s.coupons.own(s.version).Update(next.ID.UUID, func(row *coupon.State) { *row = next })
}

func (r coupons) Remove(ctx context.Context, id coupon.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	for range s.redemptions.table.rows.Within("coupon.id", id.UUID).From(0) {
		return fmt.Errorf("memory: the coupon %s has redemptions", id)
	}
	return s.coupons.own(s.version).Remove(id.UUID)
}
