package policies_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lyceum/app"
	"lyceum/domain/coupon"
	"lyceum/domain/policy"
	"lyceum/domain/query"
	"lyceum/test/kit/stores"
)

func createCoupon(w *world, a *app.App, i int, disabled bool) error {
	_, err := a.Coupons.Create(w.t.Context(), w.actor, coupon.Params{
		Code: code(i), Currency: "EUR", StartOn: time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC), Format: coupon.Fixed, Value: 1,
		MaximumUsages: 1, Disabled: disabled,
	})
	return err
}

var creatingCoupons = decision{
	rules: func(verdict error) policy.Set {
		return policy.Set{CreateCoupon: everyThird(verdict, func(c policy.CreatingCoupon) int { return number(c.Coupon.Code) })}
	},
	taken: func(w *world) int { return len(w.allCoupons()) },
	ways: []way{
		{
			name: "a coupon is created", single: true, fault: "invalid: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				return createCoupon(w, a, numbers[0]+newPersonOffset, false)
			},
		},
		{
			name: "lines", fault: "line %d: coupon: id: " + detail, offset: 1,
			take: func(w *world, a *app.App, numbers ...int) error {
				return w.importLines(a, newcomers(numbers), func(i int) string { return couponLine(i, false) })
			},
		},
	},
}

func TestCreatingCoupons(t *testing.T) { creatingCoupons.tryAll(t) }

var activatingCoupons = decision{
	rules: func(verdict error) policy.Set {
		return policy.Set{ActivateCoupon: everyThird(verdict, func(c policy.ActivatingCoupon) int { return number(c.Coupon.Code) })}
	},
	taken: func(w *world) int {
		n := 0
		for _, c := range w.allCoupons() {
			if c.Enabled {
				n++
			}
		}
		return n
	},
	ways: []way{
		{
			name: "a coupon is activated", single: true, fault: "invalid: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				return a.Coupons.Activate(w.t.Context(), w.actor, w.coupons[numbers[0]])
			},
		},
		{
			name: "a coupon is updated", single: true, fault: "invalid: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				enabled := true
				_, err := a.Coupons.Update(w.t.Context(), w.actor, w.coupons[numbers[0]], coupon.Changes{Enabled: &enabled})
				return err
			},
		},
		{
			name: "a coupon is created active", single: true, fault: "invalid: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				return createCoupon(w, a, numbers[0]+newPersonOffset, false)
			},
		},
		{
			name: "lines about coupons of the school", fault: "line %d: coupon: id: " + detail, offset: 1,
			take: func(w *world, a *app.App, numbers ...int) error {
				return w.importLines(a, numbers, func(i int) string { return couponLine(i, true) })
			},
		},
		{
			name: "lines about new coupons", fault: "line %d: coupon: id: " + detail, offset: 1,
			take: func(w *world, a *app.App, numbers ...int) error {
				return w.importLines(a, newcomers(numbers), func(i int) string { return couponLine(i, true) })
			},
		},
	},
}

func TestActivatingCoupons(t *testing.T) { activatingCoupons.tryAll(t) }

// once and twice are the values of a coupon before and after a change.
const once, twice = 10_000, 20_000

// changingEnabledCoupons has a rule about activation that applies only to changes of coupons that
// are already enabled.
var changingEnabledCoupons = decision{
	rules: func(verdict error) policy.Set {
		return policy.Set{ActivateCoupon: policy.Rules[policy.ActivatingCoupon]{{Check: func(c policy.ActivatingCoupon) error {
			if c.Before != nil && c.Before.Enabled && c.Before.Value == once && c.Coupon.Value == twice && isRejected(number(c.Coupon.Code)) {
				return verdict
			}
			return nil
		}}}}
	},
	taken: func(w *world) int {
		n := 0
		for _, c := range w.allCoupons() {
			if c.Enabled && c.Value == twice {
				n++
			}
		}
		return n
	},
	ways: []way{
		{
			name: "an enabled coupon is updated", single: true, fault: "invalid: id: " + detail, before: activateAll,
			take: func(w *world, a *app.App, numbers ...int) error {
				value := coupon.Value(twice)
				_, err := a.Coupons.Update(w.t.Context(), w.actor, w.coupons[numbers[0]], coupon.Changes{Value: &value})
				return err
			},
		},
		{
			name: "lines about enabled coupons", fault: "line %d: coupon: id: " + detail, offset: 1, before: activateAll,
			take: func(w *world, a *app.App, numbers ...int) error {
				return w.importLines(a, numbers, func(i int) string {
					return strings.Replace(couponLine(i, true), `"value": 1,`, `"value": 2,`, 1)
				})
			},
		},
	},
}

func TestChangingEnabledCoupons(t *testing.T) { changingEnabledCoupons.tryAll(t) }

// activateAll activates all coupons.
func activateAll(w *world) {
	w.t.Helper()
	for _, id := range w.coupons {
		must(w.t, w.apps[0].Coupons.Activate(w.t.Context(), w.actor, id))
	}
}

// TestCreatingAndActivatingAtOnce checks that, if an enabled coupon is created and the rules of
// both decisions refuse it with the same fault, the fault is reported once.
func TestCreatingAndActivatingAtOnce(t *testing.T) {
	t.Parallel()
	onTwoInstances(t, func(t *testing.T, on [2]stores.Backend) {
		rules := creatingCoupons.rules(refusal).With(activatingCoupons.rules(refusal))
		w := newWorld(t, on, 3, rules)
		if got := faultsOf(t, createCoupon(w, w.apps[0], 2+newPersonOffset, false)); len(got) != 1 {
			t.Error(got)
		}
	})
}

// sharedCoupon is the coupon that all people redeem.
const sharedCoupon = 0

func activateCommon(w *world) {
	w.t.Helper()
	must(w.t, w.apps[0].Coupons.Activate(w.t.Context(), w.actor, w.coupons[sharedCoupon]))
}

var redeeming = decision{
	rules: func(verdict error) policy.Set {
		return policy.Set{Redeem: everyThird(verdict, func(r policy.Redeeming) int { return number(r.Person.Email) })}
	},
	taken: func(w *world) int { return w.uses() },
	ways: []way{
		{
			name: "a coupon is redeemed", single: true, fault: "invalid: id: " + detail, before: activateCommon,
			take: func(w *world, a *app.App, numbers ...int) error {
				_, err := a.Redemptions.Redeem(w.t.Context(), w.actor, w.coupons[sharedCoupon], w.people[numbers[0]])
				return err
			},
		},
		{
			name: "lines", fault: "line %d: redemption: id: " + detail, offset: 1,
			take: func(w *world, a *app.App, numbers ...int) error { return w.importLines(a, numbers, redemptionLine) },
		},
	},
}

func TestRedeeming(t *testing.T) { redeeming.tryAll(t) }

func redemptionLine(i int) string {
	return fmt.Sprintf(`{"kind": "redemption", "coupon": %q, "person": %q, "created_at": "2026-01-02T15:04:05.123Z"}`, code(sharedCoupon), email(i))
}

func (w *world) allCoupons() []coupon.State {
	w.t.Helper()
	all, err := w.apps[1].Coupons.List(w.t.Context(), w.actor, query.Query{Page: query.AllRows()})
	must(w.t, err)
	return all.Items
}

// uses returns the number of usages of the shared coupon.
func (w *world) uses() int {
	w.t.Helper()
	all, err := w.apps[1].Redemptions.ListOf(w.t.Context(), w.actor, w.coupons[sharedCoupon], query.Query{Page: query.AllRows()})
	must(w.t, err)
	return len(all.Items)
}
