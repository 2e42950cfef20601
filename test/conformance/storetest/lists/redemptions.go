package lists

import (
	"fmt"
	"math/rand/v2"

	"github.com/google/uuid"
	"lyceum/domain/coupon"
	"lyceum/domain/redemption"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

var redemptionCase = &Case[redemption.Summary]{
	name:   "Redemptions",
	Schema: redemption.Schema.With("link", "https://lyceum.test/cr/", "person_email", ".html"),
	of:     func(r ports.Reader) ports.Lister[redemption.Summary] { return r.Redemptions },
	ids: func(row redemption.Summary) []uuid.UUID {
		return []uuid.UUID{row.ID.UUID, row.Coupon.UUID, row.Person.UUID}
	},
	write: writeRedemptions,
}

// writeRedemptions adds redemptions of a few coupons by the people of a class, and then renames
// some of the people.
func writeRedemptions(s fixture.Tenant, rnd *rand.Rand, texts []string) []redemption.Summary {
	s.T.Helper()
	c := newClass(s, rnd, texts)
	var coupons []coupon.ID
	for i := range 3 {
		coupons = append(coupons, s.AddCoupon(fmt.Sprintf("Redeemed %s %d", s.IDs.New(), i)).ID)
	}
	var rows []redemption.Summary
	var records []any
	for _, p := range c.people {
		for range rnd.IntN(5) {
			n := s.NewRedemption(fixture.Pick(rnd, coupons), p.ID)
			n.ID.UUID, n.CreatedAt = randomID(rnd), fixture.Pick(rnd, moments)
			rows, records = append(rows, redemption.Summary{Redemption: n}), append(records, n)
		}
	}
	s.Save(records...)
	c.rename()
	for i := range rows {
		p := c.person(rows[i].Person)
		rows[i].PersonName, rows[i].PersonEmail = p.FullName(), p.Email
	}
	return rows
}
