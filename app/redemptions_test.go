package app_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
)

func TestRedeemUntilMaximumUsages(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	p, c := w.invite(t), w.newCoupon(t, "Spring") // 4 of 10 uses
	for range 6 {
		made, err := w.Redemptions.Redeem(w.ctx, w.actor, c.ID, p)
		is.NoErr(err)
		got, err := w.Redemptions.Get(w.ctx, w.actor, made.ID)
		is.NoErr(err)
		is.Equal(got, made)
		is.Equal(made.CreatedAt, start)
		is.Equal(made.PersonEmail, "new@example.test")
	}
	_, err := w.Redemptions.Redeem(w.ctx, w.actor, c.ID, p)
	is.Equal(firstFault(t, err).Field, "usages_count")
	after, err := w.Coupons.Get(w.ctx, w.actor, c.ID)
	is.NoErr(err)
	is.Equal(after.UsagesCount, int64(10))
	is.Equal(after.UpdatedAt, c.UpdatedAt) // a redemption does not update the coupon
	list, err := w.Redemptions.ListOf(w.ctx, w.actor, c.ID, query.Query{})
	is.NoErr(err)
	is.Equal(len(list.Items), 6)
}

func TestRefusedRedemptionIsNotCounted(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	p, c := w.invite(t), w.newCoupon(t, "Spring")
	unknown, nothing := person.ID{UUID: uuid.UUID{15: 9}}, coupon.ID{UUID: uuid.UUID{15: 9}}

	_, err := w.Redemptions.Redeem(w.ctx, w.actor, c.ID, unknown)
	is.True(fault.Is(err, fault.NotFound))
	is.Equal(firstFault(t, err).Field, "person")
	_, err = w.Redemptions.Redeem(w.ctx, w.actor, nothing, p)
	is.True(fault.Is(err, fault.NotFound))
	is.Equal(firstFault(t, err).Field, "")
	is.NoErr(w.Coupons.Deactivate(w.ctx, w.actor, c.ID))
	_, err = w.Redemptions.Redeem(w.ctx, w.actor, c.ID, unknown)
	is.Equal(len(fault.All(err)), 1) // the rules are not asked about a person who does not exist
	is.NoErr(w.Coupons.Activate(w.ctx, w.actor, c.ID))
	_, err = w.Redemptions.Redeem(w.ctx, w.actor.DryRun(), c.ID, p)
	is.NoErr(err)
	_, err = w.Redemptions.ListOf(w.ctx, w.actor, nothing, query.Query{})
	is.True(fault.Is(err, fault.NotFound))

	list, err := w.Redemptions.ListOf(w.ctx, w.actor, c.ID, query.Query{})
	is.NoErr(err)
	is.Equal(len(list.Items), 0)
	after, err := w.Coupons.Get(w.ctx, w.actor, c.ID)
	is.NoErr(err)
	is.Equal(after.UsagesCount, c.UsagesCount)
}

func TestDeletionsKeepOrDeleteRedemptions(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	p, c := w.invite(t), w.newCoupon(t, "Spring")
	gone, err := w.Redemptions.Redeem(w.ctx, w.actor, c.ID, p)
	is.NoErr(err)
	is.NoErr(w.People.Delete(w.ctx, w.actor, p))
	_, err = w.Redemptions.Get(w.ctx, w.actor, gone.ID)
	is.True(fault.Is(err, fault.NotFound))
	after, err := w.Coupons.Get(w.ctx, w.actor, c.ID)
	is.NoErr(err)
	is.Equal(after.UsagesCount, int64(5)) // deleting a person does not lower the count
	is.NoErr(w.Coupons.Delete(w.ctx, w.actor, c.ID))
	is.True(fault.Is(w.Coupons.Delete(w.ctx, w.actor, c.ID), fault.NotFound))
}

func TestCreateCouponReportsAllFaults(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	w.newCoupon(t, "Spring")
	wrong := terms("SPRING")
	wrong.Currency = "E"
	_, err := w.Coupons.Create(w.ctx, w.actor, wrong)
	var named []string
	for _, f := range fault.All(err) {
		named = append(named, f.Field)
	}
	is.Equal(named, []string{"currency_code", "code"})
	list, err := w.Coupons.List(w.ctx, w.actor, query.Query{})
	is.NoErr(err)
	is.Equal(len(list.Items), 1)
}
