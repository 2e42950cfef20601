package app

import (
	"context"

	"lyceum/app/admission"
	"lyceum/app/usecase"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/query"
	"lyceum/domain/redemption"
	"lyceum/ports"
)

// Redemptions lists, gets and adds redemptions of coupons.
type Redemptions struct{ deps usecase.Deps }

// ListOf returns a page of the redemptions of one coupon.
func (u *Redemptions) ListOf(
	ctx context.Context, a Actor, id coupon.ID, q query.Query,
) (query.Result[redemption.Summary], error) {
	r := u.deps.Read(a)
	return listOf(ctx, id, r.Coupons.Get, r.Redemptions.List, redemption.Schema.Attr("coupon.id"), q)
}

// Get returns the redemption with the given id, or NotFound if it does not exist.
func (u *Redemptions) Get(ctx context.Context, a Actor, id redemption.ID) (redemption.Summary, error) {
	return u.deps.Read(a).Redemptions.Get(ctx, id)
}

// Redeem adds a redemption of a coupon by a person. If the coupon cannot be used, the field of the
// fault is the attribute that prevents the use. A missing person is NotFound on the field person.
// Concurrent calls never exceed the coupon's maximum_usages.
func (u *Redemptions) Redeem(
	ctx context.Context, a Actor, id coupon.ID, by person.ID,
) (redemption.Summary, error) {
	return u.redeem(ctx, a, id, by, false)
}

// redeem implements Redeem. If once is set and the person has already redeemed the coupon, redeem
// returns that redemption and adds none, even if the coupon can no longer be used.
func (u *Redemptions) redeem(
	ctx context.Context, a Actor, id coupon.ID, by person.ID, once bool,
) (redemption.Summary, error) {
	now, use := u.deps.Clock.Now(), redemption.ID{UUID: u.deps.IDs.New()}
	var made redemption.Summary
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		c, err := tx.Coupons.GetForUpdate(ctx, id)
		if err != nil {
			return err
		}
		if once {
			// Other redemptions of the coupon wait for the lock, so no transaction adds one now.
			earlier, err := tx.Redemptions.List(ctx, query.Query{Where: query.HasID(redemption.Schema.Attr("coupon.id"), id.UUID), Page: query.NewPage(1, 1)}.
				And(query.HasID(redemption.Schema.Attr("person.id"), by.UUID)))
			if err != nil {
				return err
			}
			if len(earlier.Items) > 0 {
				made, err = tx.Redemptions.Get(ctx, earlier.Items[0].ID)
				return err
			}
		}
		people, err := tx.People.GetManyForShare(ctx, []person.ID{by})
		if err != nil {
			return err
		}
		request, err := u.deps.Request(ctx, tx.School, a, now)
		if err != nil {
			return err
		}
		p, ok := people[by]
		if !ok {
			return fault.OnField("person", fault.RecordNotFound())
		}
		effect, err := policy.Effect(admission.CheckRedeeming(u.deps.Policies.Living, request, c.State(), p.State()))
		if err != nil {
			return usecase.AtData(err)
		}
		used, err := redemption.Redeem(use, &c, by, now)
		if err != nil {
			return err
		}
		if !effect {
			made = redemption.Summary{Redemption: used, PersonName: p.State().FullName(), PersonEmail: p.State().Email}
			return nil
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
