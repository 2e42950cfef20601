package transfer

import (
	"context"
	"time"

	"lyceum/app/admission"
	"lyceum/app/transfer/format"
	"lyceum/app/usecase"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

func (m *importer) importCoupon(ctx context.Context, l *format.Coupon) error {
	created, updated := m.timestamps(l.CreatedAt, l.UpdatedAt)
	params, err := couponParams(l)
	if err != nil {
		return err
	}
	c, err := coupon.New(coupon.ID{UUID: m.id(l.Kind, l.ID)}, params, created)
	if err != nil {
		return err
	}
	s := c.State()
	known, err := markSeen(m.coupons, text.UniqueKey(s.Code), m.line)
	if err != nil {
		return err
	}
	if known != nil {
		// Earlier imports may have added more redemptions than the coupon allows.
		s.MaximumUsages = max(s.MaximumUsages, known.record.UsagesCount)
		ch := coupon.Changes{
			Code: &s.Code, Currency: &s.Currency, StartOn: &s.StartOn, EndOn: &params.EndOn, Format: &s.Format,
			Value: &s.Value, MaximumUsages: &s.MaximumUsages, Enabled: l.Enabled,
		}
		now := coupon.Restore(known.record)
		if err := now.Update(ch, m.now); err != nil {
			return err
		}
		if now, err = admission.CheckCouponChange(m.rules, m.by, known.record, now); err != nil {
			return err
		}
		enabled := now.State().Enabled
		ch.Enabled = &enabled
		differs := now.State() != known.record
		known.record = now.State()
		return m.saveIfChanged(l.Kind, differs, func() error {
			_, err := usecase.Update(ctx, m.load.Tx().Coupons, known.record.ID, func(c *coupon.Coupon) (bool, error) {
				return true, c.Update(ch, m.now)
			})
			return err
		})
	}
	if c, err = admission.CheckCoupon(m.rules, m.by, c); err != nil {
		return registerVerdict(m.coupons, text.UniqueKey(s.Code), s, m.line, err)
	}
	s = c.State()
	s.UpdatedAt = updated
	register(m.coupons, text.UniqueKey(s.Code), s, m.line)
	m.batch.Coupons = append(m.batch.Coupons, coupon.Restore(s))
	m.created(l.Kind, 1)
	return nil
}

func couponParams(l *format.Coupon) (coupon.Params, error) {
	start, errStart := coupon.ParseDay("start_on", orZero(l.StartOn))
	var end time.Time
	var errEnd error
	if orZero(l.EndOn) != "" {
		end, errEnd = coupon.ParseDay("end_on", *l.EndOn)
	}
	format, errFormat := coupon.ParseFormat(orZero(l.Format))
	value, errValue := coupon.ParseValue(l.Value.String())
	return coupon.Params{
		Code: l.Code, Currency: orZero(l.Currency), StartOn: start, EndOn: end, Format: format, Value: value,
		MaximumUsages: orZero(l.MaximumUsages), UsagesCount: l.UsagesCount, Disabled: l.Enabled != nil && !*l.Enabled,
	}, fault.Join(errStart, errEnd, errFormat, errValue)
}
