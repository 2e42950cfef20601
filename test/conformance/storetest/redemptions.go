package storetest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/redemption"
	"lyceum/ports"
)

var redemptionCase = &listCase[redemption.Summary]{
	name:   "Redemptions",
	schema: redemption.Schema.With("link", "https://lyceum.test/cr/", "person_email", ".html"),
	of:     func(r ports.Reader) ports.Lister[redemption.Summary] { return r.Redemptions },
	ids: func(row redemption.Summary) []uuid.UUID {
		return []uuid.UUID{row.ID.UUID, row.Coupon.UUID, row.Person.UUID}
	},
	write: writeRedemptions,
}

// writeRedemptions adds redemptions of a few coupons by the people of a class, and then renames
// some of the people.
func writeRedemptions(s tenant, rnd *rand.Rand, texts []string) []redemption.Summary {
	s.t.Helper()
	c := newClass(s, rnd, texts)
	var coupons []coupon.ID
	for i := range 3 {
		coupons = append(coupons, s.addCoupon(fmt.Sprintf("Redeemed %s %d", s.ids.New(), i)).ID)
	}
	var rows []redemption.Summary
	var records []any
	for _, p := range c.people {
		for range rnd.IntN(5) {
			n := s.newRedemption(pick(rnd, coupons), p.ID)
			n.ID.UUID, n.CreatedAt = randomID(rnd), pick(rnd, moments)
			rows, records = append(rows, redemption.Summary{Redemption: n}), append(records, n)
		}
	}
	s.save(records...)
	c.rename()
	for i := range rows {
		p := c.person(rows[i].Person)
		rows[i].PersonName, rows[i].PersonEmail = p.FullName(), p.Email
	}
	return rows
}

// newRedemption returns a redemption without saving it.
func (s tenant) newRedemption(c coupon.ID, p person.ID) redemption.Redemption {
	s.t.Helper()
	return redemption.Redemption{ID: redemption.ID{UUID: s.ids.New()}, Coupon: c, Person: p, CreatedAt: s.nextTime()}
}

// redeemedBy returns the summary of a redemption by the person.
func redeemedBy(r redemption.Redemption, p person.State) redemption.Summary {
	return redemption.Summary{Redemption: r, PersonName: p.FullName(), PersonEmail: p.Email}
}

// redemptions tests ports.RedemptionReader and ports.RedemptionRepo.
func redemptions(t *testing.T, b Backend) {
	t.Run("Get returns the redemption, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c, p := w.addCoupon("Spring"), w.addPerson("ada@example.test")
		one, two := w.newRedemption(c.ID, p.ID), w.newRedemption(c.ID, p.ID)
		w.save(two, one)
		for _, want := range []redemption.Redemption{one, two} {
			got, err := w.read().Redemptions.Get(w.ctx(), want.ID)
			is.NoErr(err)
			is.Equal(diff(got, redeemedBy(want, p)), "")
			got, err = inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (redemption.Summary, error) {
				return tx.Redemptions.Get(ctx, want.ID)
			})
			is.NoErr(err)
			is.Equal(diff(got, redeemedBy(want, p)), "")
		}
		_, err := w.read().Redemptions.Get(w.ctx(), w.newRedemption(c.ID, p.ID).ID)
		is.True(isNotFound(err))
	})

	t.Run("Names in redemptions are the current ones", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c, p := w.addCoupon("Spring"), w.addPerson("ada@example.test")
		n := w.newRedemption(c.ID, p.ID)
		w.save(n)
		p.FirstName, p.LastName, p.Email = "", "", "augusta@example.test"
		is.NoErr(w.trySavePerson(p))
		is.Equal(diff(w.all().Redemptions, []redemption.Summary{redeemedBy(n, p)}), "")
		is.Equal(countBy(w.tenant, w.read().Redemptions, redemption.Schema, "person_name", "augusta@example.test"), 1)
		is.Equal(countBy(w.tenant, w.read().Redemptions, redemption.Schema, "person_email", "ada@example.test"), 0)
	})

	t.Run("Add returns an error for an unknown coupon or person", func(t *testing.T) {
		w := newWorld(t, b)
		c, p := w.addCoupon("Spring"), w.addPerson("ada@example.test")
		for _, spoil := range []func(*redemption.Redemption){
			func(n *redemption.Redemption) { n.Coupon.UUID = w.ids.New() },
			func(n *redemption.Redemption) { n.Person.UUID = w.ids.New() },
		} {
			n := w.newRedemption(c.ID, p.ID)
			spoil(&n)
			w.mustReject(n)
		}
	})

	t.Run("DeleteByCoupon deletes all redemptions of the coupon", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c, other, p := w.addCoupon("Spring"), w.addCoupon("Autumn"), w.addPerson("ada@example.test")
		stays := w.newRedemption(other.ID, p.ID)
		w.save(w.newRedemption(c.ID, p.ID), stays, w.newRedemption(c.ID, p.ID))
		for range 2 { // deleting again changes nothing
			w.do(func(ctx context.Context, tx ports.Tx) error {
				return second(tx.Redemptions.DeleteByCoupon(ctx, c.ID, math.MaxInt32))
			})
			is.Equal(diff(w.all().Redemptions, []redemption.Summary{redeemedBy(stays, p)}), "")
		}
	})

	t.Run("DeleteByPerson deletes all redemptions of the person", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c, p, other := w.addCoupon("Spring"), w.addPerson("ada@example.test"), w.addPerson("grace@example.test")
		stays := w.newRedemption(c.ID, other.ID)
		w.save(w.newRedemption(c.ID, p.ID), stays, w.newRedemption(c.ID, p.ID))
		for range 2 {
			w.do(func(ctx context.Context, tx ports.Tx) error {
				return second(tx.Redemptions.DeleteByPerson(ctx, p.ID, math.MaxInt32))
			})
			is.Equal(diff(w.all().Redemptions, []redemption.Summary{redeemedBy(stays, other)}), "")
		}
	})

	t.Run("A coupon with redemptions cannot be deleted", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c, p := w.addCoupon("Spring"), w.addPerson("ada@example.test")
		w.save(w.newRedemption(c.ID, p.ID))
		before := w.all()
		err := w.tryDeleteCoupon(c.ID)
		is.True(err != nil)
		is.True(fault.All(err) == nil) // a defect of the use case, not a fault of the client
		is.Equal(diff(w.all(), before), "")
		w.do(func(ctx context.Context, tx ports.Tx) error {
			if err := second(tx.Redemptions.DeleteByCoupon(ctx, c.ID, math.MaxInt32)); err != nil {
				return err
			}
			return tx.Coupons.Delete(ctx, c.ID)
		})
		is.Equal(len(w.all().Coupons), 0)
	})

	t.Run("A person with redemptions cannot be deleted", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c, p := w.addCoupon("Spring"), w.addPerson("ada@example.test")
		w.save(w.newRedemption(c.ID, p.ID))
		w.mustRefuseRemoval(p.ID)
		is.NoErr(w.deletePerson(p.ID))
		is.Equal(len(w.all().People)+len(w.all().Redemptions), 0)
	})
}

// redemptionRaces tests that a failed redemption saves nothing and that concurrent redemptions do
// not exceed the coupon's maximum.
func redemptionRaces(t *testing.T, b Backend) {
	t.Run("One of many concurrent redemptions gets the last use of a coupon", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.addCoupon("Spring", func(c *coupon.State) { c.MaximumUsages, c.UsagesCount = 3, 2 })
		var people [goroutines]person.ID
		for i := range people {
			people[i] = w.addPerson(fmt.Sprintf("p%d@example.test", i)).ID
		}
		var made tally
		for _, err := range atOnce(func(i int) error { return w.redeemCoupon(c.ID, people[i]) }) {
			if err == nil {
				made.add(1)
				continue
			}
			is.True(fault.Is(err, fault.Invalid))
			is.Equal(fault.All(err)[0].Field, "usages_count")
		}
		is.Equal(made.n, 1)
		is.Equal(len(w.all().Redemptions), 1)
		is.Equal(w.coupon(c.ID).UsagesCount, int64(3))
	})

	t.Run("A person is deleted while redeeming a coupon, and the usage count remains", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c, p := w.addCoupon("Spring", func(c *coupon.State) { c.MaximumUsages = goroutines }), w.addPerson("ada@example.test").ID
		errs := atOnce(func(i int) error {
			if i == goroutines/2 {
				return w.deletePerson(p)
			}
			return w.redeemCoupon(c.ID, p)
		})
		is.NoErr(errs[goroutines/2])
		used := int64(0)
		for i, err := range errs {
			if i != goroutines/2 && err == nil {
				used++
			}
		}
		all := w.all()
		is.Equal(len(all.People)+len(all.Redemptions), 0)
		is.Equal(w.coupon(c.ID).UsagesCount, used)
	})

	t.Run("A coupon is deleted while people redeem it", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c, p := w.addCoupon("Spring", func(c *coupon.State) { c.MaximumUsages = goroutines }), w.addPerson("ada@example.test").ID
		errs := atOnce(func(i int) error {
			if i == goroutines/2 {
				return w.try(func(ctx context.Context, tx ports.Tx) error {
					if _, err := tx.Coupons.GetForUpdate(ctx, c.ID); err != nil {
						return err
					}
					if err := second(tx.Redemptions.DeleteByCoupon(ctx, c.ID, math.MaxInt32)); err != nil {
						return err
					}
					return tx.Coupons.Delete(ctx, c.ID)
				})
			}
			return w.redeemCoupon(c.ID, p)
		})
		is.NoErr(errs[goroutines/2])
		for _, err := range errs {
			is.True(err == nil || isNotFound(err))
		}
		is.Equal(len(w.all().Coupons)+len(w.all().Redemptions), 0)
	})
}

// redeemCoupon redeems the coupon for the person as a use case does.
func (s tenant) redeemCoupon(id coupon.ID, p person.ID) error {
	made := redemption.ID{UUID: s.ids.New()}
	return s.try(func(ctx context.Context, tx ports.Tx) error {
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

// redemptionMethods contains the methods of ports.RedemptionReader and ports.RedemptionRepo.
var redemptionMethods = []portMethod{
	{port: "Redemptions", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return listed(ctx, r.Redemptions, func(n redemption.Summary) bool { return n.ID == theirs.redemption.ID })
	}},
	{port: "Redemptions", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return result(r.Redemptions.Get(ctx, theirs.redemption.ID))
	}},
	{port: "Redemptions", method: "Add", of: "their coupon", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		return nil, tx.Redemptions.Add(ctx, ours.newRedemption(func(n *redemption.Redemption) { n.Coupon = theirs.voucher.ID }))
	}},
	{port: "Redemptions", method: "Add", of: "their person", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		return nil, tx.Redemptions.Add(ctx, ours.newRedemption(func(n *redemption.Redemption) { n.Person = theirs.coursework.learner.ID }))
	}},
	{port: "Redemptions", method: "DeleteByCoupon", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, second(tx.Redemptions.DeleteByCoupon(ctx, theirs.voucher.ID, math.MaxInt32))
	}},
	{port: "Redemptions", method: "DeleteByPerson", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, second(tx.Redemptions.DeleteByPerson(ctx, theirs.coursework.learner.ID, math.MaxInt32))
	}},
}

// newRedemption returns a copy of the fixture's redemption with a new id, modified by change.
func (e fixture) newRedemption(change func(*redemption.Redemption)) redemption.Redemption {
	n := e.redemption
	n.ID = redemption.ID{UUID: e.ids.New()}
	change(&n)
	return n
}
