package transfer

import (
	"context"
	"time"

	"lyceum/app/admission"
	"lyceum/app/transfer/format"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

func (m *importing) coupon(ctx context.Context, l *format.Coupon) error {
	created, updated := m.times(l.CreatedAt, l.UpdatedAt)
	terms, err := termsOf(l)
	if err != nil {
		return err
	}
	c, err := coupon.New(coupon.ID{UUID: m.id(l.Kind, l.ID)}, terms, created)
	if err != nil {
		return err
	}
	s := c.State()
	known, err := claim(m.coupons, text.Key(s.Code), m.line)
	if err != nil {
		return err
	}
	if known != nil {
		// The uses that a file brings may be more than it allows.
		s.MaximumUsages = max(s.MaximumUsages, known.is.UsagesCount)
		ch := coupon.Change{
			Code: &s.Code, Currency: &s.Currency, StartOn: &s.StartOn, EndOn: &terms.EndOn, Format: &s.Format,
			Value: &s.Value, MaximumUsages: &s.MaximumUsages, Enabled: l.Enabled,
		}
		now := coupon.Restore(known.is)
		if err := now.Change(ch, m.now); err != nil {
			return err
		}
		if err := admission.CheckCouponChange(m.rules, known.is, now.State(), m.now); err != nil {
			return err
		}
		return m.change(l.Kind, now.State() != known.is, func() error {
			tx := m.load.Tx()
			was, err := tx.Coupons.Find(ctx, known.is.ID)
			if err == nil {
				err = was.Change(ch, m.now)
			}
			if err != nil {
				return err
			}
			return tx.Coupons.Save(ctx, was)
		})
	}
	if err := admission.CheckCoupon(m.rules, s, m.now); err != nil {
		return err
	}
	s.UpdatedAt = updated
	bring(m.coupons, text.Key(s.Code), s, m.line)
	m.batch.Coupons = append(m.batch.Coupons, coupon.Restore(s))
	m.created(l.Kind, 1)
	return nil
}

// termsOf returns the terms of a coupon's line.
func termsOf(l *format.Coupon) (coupon.Terms, error) {
	start, errStart := coupon.ParseDay("start_on", orZero(l.StartOn))
	var end time.Time
	var errEnd error
	if orZero(l.EndOn) != "" {
		end, errEnd = coupon.ParseDay("end_on", *l.EndOn)
	}
	format, errFormat := coupon.ParseFormat(orZero(l.Format))
	value, errValue := coupon.ParseValue(l.Value.String())
	return coupon.Terms{
		Code: l.Code, Currency: orZero(l.Currency), StartOn: start, EndOn: end, Format: format, Value: value,
		MaximumUsages: orZero(l.MaximumUsages), UsagesCount: l.UsagesCount, Disabled: l.Enabled != nil && !*l.Enabled,
	}, fault.Join(errStart, errEnd, errFormat, errValue)
}
