package transfer

import (
	"context"

	"lyceum/app/transfer/format"
	"lyceum/app/usecase"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/redemption"
	"lyceum/domain/text"
)

// redemptionKey identifies redemptions in lines. If a person uses a coupon twice at the same time,
// both redemptions have the same key.
type redemptionKey struct {
	coupon coupon.ID
	person person.ID
	at     int64 // Unix time in milliseconds
}

// importRedemption imports a redemption. The line of a new coupon contains its number of uses; for
// an existing coupon, countUses updates the number.
func (m *importer) importRedemption(ctx context.Context, l *format.Redemption) error {
	c, errCoupon := find(m.coupons, text.UniqueKey(l.Coupon), "coupon", "coupon", l.Coupon)
	p, errPerson := m.personByEmail(l.Person)
	var errTime error
	if l.CreatedAt.IsZero() {
		errTime = fault.Blank("created_at")
	}
	if err := fault.Join(errCoupon, errPerson, errTime); err != nil {
		return err
	}
	key := redemptionKey{c.ID, p.ID, l.CreatedAt.UnixMilli()}
	m.redemptionLines[key]++
	if m.redemptionLines[key] <= m.redemptions[key] {
		return m.countUnchanged(l.Kind, nil)
	}
	if err := m.mayRedeem(ctx, p, c, l.CreatedAt.Time); err != nil {
		return err
	}
	if m.usesInFile[c.ID]++; m.coupons[text.UniqueKey(l.Coupon)].existing {
		m.usesOfExisting[c.ID]++
	} else if m.usesInFile[c.ID] > c.UsagesCount {
		return fault.Invalidf("coupon", "%q has more redemptions than its usages_count (%d)", c.Code, c.UsagesCount)
	}
	m.batch.Redemptions = append(m.batch.Redemptions, redemption.Redemption{
		ID: redemption.ID{UUID: m.id(l.Kind, l.ID)}, Coupon: c.ID, Person: p.ID, CreatedAt: l.CreatedAt.Time,
	})
	m.created(l.Kind, 1)
	return nil
}

// countUses adds the imported redemptions of existing coupons to their counts. The redemptions have
// already happened, so it raises the coupon's maximum if necessary.
func (m *importer) countUses(ctx context.Context) error {
	tx := m.load.Tx()
	for id, n := range m.usesOfExisting {
		_, err := usecase.Update(ctx, tx.Coupons, id, func(c *coupon.Coupon) (bool, error) {
			s := c.State()
			s.UsagesCount += n
			s.MaximumUsages = max(s.MaximumUsages, s.UsagesCount)
			*c = coupon.Restore(s)
			return true, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
