// Package coupon defines discount codes and their rules: what a coupon may contain (Params, Update),
// and when it can be redeemed (Redeem).
package coupon

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/fault"
)

// Type is the resource type of coupons in documents and faults.
const Type = "coupons"

// MaxUsages is the maximum value of MaximumUsages.
const MaxUsages = 1_000_000_000

// ID identifies a coupon.
type ID struct{ uuid.UUID }

// Coupon is a discount code. Its code is unique in the school (by text.UniqueKey), which the store
// enforces.
type Coupon struct{ s State }

// State is the plain record of a coupon, as it appears in lists.
type State struct {
	ID                   ID
	Code                 string // spelled as the client sent it
	Currency             string // three uppercase letters
	Enabled              bool
	StartOn              time.Time  // first day on which the coupon is valid, as midnight UTC
	EndOn                *time.Time // last day on which the coupon is valid, as midnight UTC; nil: no end
	Format               Format
	Value                Value
	UsagesCount          int64 // 0 to MaximumUsages
	MaximumUsages        int64 // 1 to MaxUsages
	CreatedAt, UpdatedAt time.Time
}

// Params is what a new coupon is created from.
type Params struct {
	Code, Currency string
	StartOn        time.Time
	EndOn          time.Time // zero: no end
	Format         Format
	Value          Value
	MaximumUsages  int64
	UsagesCount    int64 // number of uses in another system, before the coupon was created here
	Disabled       bool
}

// New returns a coupon. The params must satisfy the rules of Update. All faults are returned
// together.
func New(id ID, t Params, now time.Time) (Coupon, error) {
	s, err := Changes{
		Code: &t.Code, Currency: &t.Currency, StartOn: &t.StartOn, EndOn: &t.EndOn,
		Format: &t.Format, Value: &t.Value, MaximumUsages: &t.MaximumUsages,
	}.apply(State{})
	if err := fault.Join(err, checkUsages(t.UsagesCount, s.MaximumUsages)); err != nil {
		return Coupon{}, err
	}
	s.ID, s.Enabled, s.UsagesCount, s.CreatedAt, s.UpdatedAt = id, !t.Disabled, t.UsagesCount, now, now
	return Coupon{s}, nil
}

// checkUsages returns a fault unless count is from 0 to allowed. If allowed is 0, which is a fault
// of its own, the two are not compared.
func checkUsages(count, allowed int64) error {
	switch {
	case count < 0:
		return fault.Invalidf("usages_count", "must not be negative")
	case allowed > 0 && count > allowed:
		return fault.Invalidf("usages_count", "must be at most %d (maximum_usages)", allowed)
	}
	return nil
}

// Restore returns the coupon that a store saved as s.
func Restore(s State) Coupon { return Coupon{s} }

// State returns the coupon's record.
func (c Coupon) State() State { return c.s }
