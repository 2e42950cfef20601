package courses

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/redemption"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/conformance/storetest/lists"
)

// redeemedBy returns the summary of a redemption by the person.
func redeemedBy(r redemption.Redemption, p person.State) redemption.Summary {
	return redemption.Summary{Redemption: r, PersonName: p.FullName(), PersonEmail: p.Email}
}

// Redemptions tests ports.RedemptionReader and ports.RedemptionRepo.
func Redemptions(t *testing.T, b fixture.Backend) {
	t.Run("Get returns the redemption, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c, p := w.AddCoupon("Spring"), w.AddPerson("ada@example.test")
		one, two := w.NewRedemption(c.ID, p.ID), w.NewRedemption(c.ID, p.ID)
		w.Save(two, one)
		for _, want := range []redemption.Redemption{one, two} {
			got, err := w.Read().Redemptions.Get(w.Context(), want.ID)
			is.NoErr(err)
			is.Equal(fixture.Diff(got, redeemedBy(want, p)), "")
			got, err = fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (redemption.Summary, error) {
				return tx.Redemptions.Get(ctx, want.ID)
			})
			is.NoErr(err)
			is.Equal(fixture.Diff(got, redeemedBy(want, p)), "")
		}
		_, err := w.Read().Redemptions.Get(w.Context(), w.NewRedemption(c.ID, p.ID).ID)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("Names in redemptions are the current ones", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c, p := w.AddCoupon("Spring"), w.AddPerson("ada@example.test")
		n := w.NewRedemption(c.ID, p.ID)
		w.Save(n)
		p.FirstName, p.LastName, p.Email = "", "", "augusta@example.test"
		is.NoErr(w.TrySavePerson(p))
		is.Equal(fixture.Diff(w.All().Redemptions, []redemption.Summary{redeemedBy(n, p)}), "")
		is.Equal(lists.CountBy(w.Tenant, w.Read().Redemptions, redemption.Schema, "person_name", "augusta@example.test"), 1)
		is.Equal(lists.CountBy(w.Tenant, w.Read().Redemptions, redemption.Schema, "person_email", "ada@example.test"), 0)
	})

	t.Run("Add returns an error for an unknown coupon or person", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		c, p := w.AddCoupon("Spring"), w.AddPerson("ada@example.test")
		for _, spoil := range []func(*redemption.Redemption){
			func(n *redemption.Redemption) { n.Coupon.UUID = w.IDs.New() },
			func(n *redemption.Redemption) { n.Person.UUID = w.IDs.New() },
		} {
			n := w.NewRedemption(c.ID, p.ID)
			spoil(&n)
			w.MustReject(n)
		}
	})

	t.Run("DeleteByCoupon deletes all redemptions of the coupon", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c, other, p := w.AddCoupon("Spring"), w.AddCoupon("Autumn"), w.AddPerson("ada@example.test")
		stays := w.NewRedemption(other.ID, p.ID)
		w.Save(w.NewRedemption(c.ID, p.ID), stays, w.NewRedemption(c.ID, p.ID))
		for range 2 { // deleting again changes nothing
			w.Do(func(ctx context.Context, tx ports.Tx) error {
				return fixture.Second(tx.Redemptions.DeleteByCoupon(ctx, c.ID, math.MaxInt32))
			})
			is.Equal(fixture.Diff(w.All().Redemptions, []redemption.Summary{redeemedBy(stays, p)}), "")
		}
	})

	t.Run("DeleteByPerson deletes all redemptions of the person", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c, p, other := w.AddCoupon("Spring"), w.AddPerson("ada@example.test"), w.AddPerson("grace@example.test")
		stays := w.NewRedemption(c.ID, other.ID)
		w.Save(w.NewRedemption(c.ID, p.ID), stays, w.NewRedemption(c.ID, p.ID))
		for range 2 {
			w.Do(func(ctx context.Context, tx ports.Tx) error {
				return fixture.Second(tx.Redemptions.DeleteByPerson(ctx, p.ID, math.MaxInt32))
			})
			is.Equal(fixture.Diff(w.All().Redemptions, []redemption.Summary{redeemedBy(stays, other)}), "")
		}
	})

	t.Run("A coupon with redemptions cannot be deleted", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c, p := w.AddCoupon("Spring"), w.AddPerson("ada@example.test")
		w.Save(w.NewRedemption(c.ID, p.ID))
		before := w.All()
		err := w.TryDeleteCoupon(c.ID)
		is.True(err != nil)
		is.True(fault.All(err) == nil) // a defect of the use case, not a fault of the client
		is.Equal(fixture.Diff(w.All(), before), "")
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			if err := fixture.Second(tx.Redemptions.DeleteByCoupon(ctx, c.ID, math.MaxInt32)); err != nil {
				return err
			}
			return tx.Coupons.Delete(ctx, c.ID)
		})
		is.Equal(len(w.All().Coupons), 0)
	})

	t.Run("A person with redemptions cannot be deleted", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c, p := w.AddCoupon("Spring"), w.AddPerson("ada@example.test")
		w.Save(w.NewRedemption(c.ID, p.ID))
		w.MustRefuseRemoval(p.ID)
		is.NoErr(w.DeletePerson(p.ID))
		is.Equal(len(w.All().People)+len(w.All().Redemptions), 0)
	})
}

// RedemptionRaces tests that a failed redemption saves nothing and that concurrent redemptions do
// not exceed the coupon's maximum.
func RedemptionRaces(t *testing.T, b fixture.Backend) {
	t.Run("One of many concurrent redemptions gets the last use of a coupon", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.AddCoupon("Spring", func(c *coupon.State) { c.MaximumUsages, c.UsagesCount = 3, 2 })
		var people [fixture.Goroutines]person.ID
		for i := range people {
			people[i] = w.AddPerson(fmt.Sprintf("p%d@example.test", i)).ID
		}
		var made fixture.Counter
		for _, err := range fixture.AtOnce(func(i int) error { return redeemCoupon(w.Tenant, c.ID, people[i]) }) {
			if err == nil {
				made.Add(1)
				continue
			}
			is.True(fault.Is(err, fault.Invalid))
			is.Equal(fault.All(err)[0].Field, "usages_count")
		}
		is.Equal(made.Count, 1)
		is.Equal(len(w.All().Redemptions), 1)
		is.Equal(w.Coupon(c.ID).UsagesCount, int64(3))
	})

	t.Run("A person is deleted while redeeming a coupon, and the usage count remains", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c, p := w.AddCoupon("Spring", func(c *coupon.State) { c.MaximumUsages = fixture.Goroutines }), w.AddPerson("ada@example.test").ID
		errs := fixture.AtOnce(func(i int) error {
			if i == fixture.Goroutines/2 {
				return w.DeletePerson(p)
			}
			return redeemCoupon(w.Tenant, c.ID, p)
		})
		is.NoErr(errs[fixture.Goroutines/2])
		used := int64(0)
		for i, err := range errs {
			if i != fixture.Goroutines/2 && err == nil {
				used++
			}
		}
		all := w.All()
		is.Equal(len(all.People)+len(all.Redemptions), 0)
		is.Equal(w.Coupon(c.ID).UsagesCount, used)
	})

	t.Run("A coupon is deleted while people redeem it", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c, p := w.AddCoupon("Spring", func(c *coupon.State) { c.MaximumUsages = fixture.Goroutines }), w.AddPerson("ada@example.test").ID
		errs := fixture.AtOnce(func(i int) error {
			if i == fixture.Goroutines/2 {
				return w.Try(func(ctx context.Context, tx ports.Tx) error {
					if _, err := tx.Coupons.GetForUpdate(ctx, c.ID); err != nil {
						return err
					}
					if err := fixture.Second(tx.Redemptions.DeleteByCoupon(ctx, c.ID, math.MaxInt32)); err != nil {
						return err
					}
					return tx.Coupons.Delete(ctx, c.ID)
				})
			}
			return redeemCoupon(w.Tenant, c.ID, p)
		})
		is.NoErr(errs[fixture.Goroutines/2])
		for _, err := range errs {
			is.True(err == nil || fixture.IsNotFound(err))
		}
		is.Equal(len(w.All().Coupons)+len(w.All().Redemptions), 0)
	})
}

// redeemCoupon redeems the coupon for the person as a use case does.
func redeemCoupon(s fixture.Tenant, id coupon.ID, p person.ID) error {
	made := redemption.ID{UUID: s.IDs.New()}
	return s.Try(func(ctx context.Context, tx ports.Tx) error {
		c, err := tx.Coupons.GetForUpdate(ctx, id)
		if err != nil {
			return err
		}
		people, err := tx.People.GetManyForShare(ctx, []person.ID{p})
		if err != nil {
			return err
		}
		if len(people) == 0 {
			return fault.RecordNotFound()
		}
		r, err := redemption.Redeem(made, &c, p, c.State().StartOn)
		if err != nil {
			return err
		}
		if err := tx.Coupons.Save(ctx, c); err != nil {
			return err
		}
		return tx.Redemptions.Add(ctx, r)
	})
}
