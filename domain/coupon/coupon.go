// Package coupon is a reduction of a price that whoever knows its code may use.
package coupon

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/fault"
)

// Type is the plural noun by which documents and faults name coupons.
const Type = "coupons"

// MaxUsages is the largest number of usages that a coupon may allow.
const MaxUsages = 1_000_000_000

// ID identifies a coupon.
type ID struct{ uuid.UUID }

// Coupon is a reduction of a price; its code is unique in the school (by
// text.Key), which the store guards.
type Coupon struct{ s State }

// State is the plain record of a coupon, and what lists show.
type State struct {
	ID                   ID
	Code                 string // as written
	Currency             string // three letters, A to Z
	Enabled              bool
	StartOn              time.Time  // the first day on which it counts, as its begin in UTC
	EndOn                *time.Time // the last such day, likewise; nil when there is none
	Format               Format
	Value                Value
	UsagesCount          int64 // 0 to MaximumUsages
	MaximumUsages        int64 // 1 to MaxUsages
	CreatedAt, UpdatedAt time.Time
}

// Terms is what is told of a new coupon.
type Terms struct {
	Code, Currency string
	StartOn        time.Time
	EndOn          time.Time // zero: it never ends
	Format         Format
	Value          Value
	MaximumUsages  int64
	UsagesCount    int64 // of a coupon that was in use elsewhere
	Disabled       bool
}

// New returns a coupon with the given terms. They obey the rules on changes
// (Change); all that is wrong is told at once.
func New(id ID, t Terms, now time.Time) (Coupon, error) {
	s, err := Change{
		Code: &t.Code, Currency: &t.Currency, StartOn: &t.StartOn, EndOn: &t.EndOn,
		Format: &t.Format, Value: &t.Value, MaximumUsages: &t.MaximumUsages,
	}.apply(State{})
	if err := fault.Join(err, checkUsages(t.UsagesCount, s.MaximumUsages)); err != nil {
		return Coupon{}, err
	}
	s.ID, s.Enabled, s.UsagesCount, s.CreatedAt, s.UpdatedAt = id, !t.Disabled, t.UsagesCount, now, now
	return Coupon{s}, nil
}

// checkUsages says whether a coupon can have been used so often; an allowed
// number of 0 stands for one that is wrong itself.
func checkUsages(count, allowed int64) error {
	switch {
	case count < 0:
		return fault.Invalidf("usages_count", "must not be negative")
	case allowed > 0 && count > allowed:
		return fault.Invalidf("usages_count", "must be at most %d, the maximum of usages", allowed)
	}
	return nil
}

// Restore returns the coupon that a store kept as s.
func Restore(s State) Coupon { return Coupon{s} }

// State returns the coupon's record.
func (c Coupon) State() State { return c.s }
