package transfer

import (
	"context"

	"lyceum/app/transfer/format"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/redemption"
	"lyceum/domain/text"
)

// use is what lines call a redemption. Somebody may use a coupon twice in one
// instant; then the lines are the same.
type use struct {
	coupon coupon.ID
	person person.ID
	at     int64 // in milliseconds
}

// redemption takes the use of a coupon. Of a coupon that the file brings, its own
// line has counted it; of one that the school has, it is one use more.
func (m *importing) redemption(ctx context.Context, l *format.Redemption) error {
	c, errCoupon := find(m.coupons, text.Key(l.Coupon), "coupon", "coupon", l.Coupon)
	p, errPerson := m.who(l.Person)
	var errTime error
	if l.CreatedAt.IsZero() {
		errTime = fault.Blank("created_at")
	}
	if err := fault.Join(errCoupon, errPerson, errTime); err != nil {
		return err
	}
	key := use{c.ID, p.ID, l.CreatedAt.UnixMilli()}
	m.told[key]++
	if m.told[key] <= m.uses[key] {
		return m.known(l.Kind, nil)
	}
	if err := m.mayRedeem(ctx, p, c, l.CreatedAt.Time); err != nil {
		return err
	}
	if m.used[c.ID]++; m.coupons[text.Key(l.Coupon)].old {
		m.more[c.ID]++
	} else if m.used[c.ID] > c.UsagesCount {
		return fault.Invalidf("coupon", "%q was used %d times only, as its usages_count says", c.Code, c.UsagesCount)
	}
	m.batch.Redemptions = append(m.batch.Redemptions, redemption.Redemption{
		ID: redemption.ID{UUID: m.id(l.Kind, l.ID)}, Coupon: c.ID, Person: p.ID, CreatedAt: l.CreatedAt.Time,
	})
	m.created(l.Kind, 1)
	return nil
}

// countUses adds what the file tells of the uses of coupons that the school had,
// which may be more than were allowed: they have happened.
func (m *importing) countUses(ctx context.Context) error {
	tx := m.load.Tx()
	for id, n := range m.more {
		c, err := tx.Coupons.Find(ctx, id)
		if err != nil {
			return err
		}
		s := c.State()
		s.UsagesCount += n
		s.MaximumUsages = max(s.MaximumUsages, s.UsagesCount)
		if err := tx.Coupons.Save(ctx, coupon.Restore(s)); err != nil {
			return err
		}
	}
	return nil
}
