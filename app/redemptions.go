package app

import (
	"context"

	"lyceum/app/admission"
	"lyceum/app/usecase"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/redemption"
	"lyceum/ports"
)

// Redemptions is what can be done with the uses of coupons.
type Redemptions struct{ deps usecase.Deps }

// ListOf returns a page of the redemptions of one coupon.
func (u *Redemptions) ListOf(
	ctx context.Context, a Actor, id coupon.ID, q query.Query,
) (query.Result[redemption.Summary], error) {
	r := u.deps.Store.Read(a.School())
	if _, err := r.Coupons.Get(ctx, id); err != nil {
		return query.Result[redemption.Summary]{}, err
	}
	return r.Redemptions.List(ctx, q.And(query.Cond{
		Attr: redemption.Schema.Attr("coupon.id"), Op: query.Eq, Values: []query.Value{{ID: id.UUID}},
	}))
}

// Get returns one redemption.
func (u *Redemptions) Get(ctx context.Context, a Actor, id redemption.ID) (redemption.Summary, error) {
	return u.deps.Store.Read(a.School()).Redemptions.Get(ctx, id)
}

// Redeem uses a coupon once, on behalf of a person. When the coupon cannot be
// used the fault is on the attribute of the coupon that stands in the way; a
// person whom the school has not is NotFound on the field person. Of many at once
// no more succeed than the coupon allows.
func (u *Redemptions) Redeem(
	ctx context.Context, a Actor, id coupon.ID, by person.ID,
) (redemption.Summary, error) {
	now, use := u.deps.Clock.Now(), redemption.ID{UUID: u.deps.IDs.New()}
	var made redemption.Summary
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		c, err := tx.Coupons.Find(ctx, id)
		if err != nil {
			return err
		}
		people, err := tx.People.Load(ctx, []person.ID{by})
		if err != nil {
			return err
		}
		err = admission.CheckRedeeming(u.deps.Policies.Living, c.State(), people[by].State(), now, false)
		if _, ok := people[by]; !ok {
			return fault.Join(fault.At("person", fault.Missing()), err)
		}
		if err != nil {
			return err
		}
		used, err := redemption.Redeem(use, &c, by, now)
		if err != nil {
			return err
		}
		if err := tx.Coupons.Save(ctx, c); err != nil {
			return err
		}
		if err := tx.Redemptions.Add(ctx, used); err != nil {
			return err
		}
		made, err = tx.Redemptions.Get(ctx, used.ID)
		return err
	})
	return made, err
}
