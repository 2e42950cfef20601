package httpapi

import (
	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/app"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
)

func (s *server) createCoupon(c *gin.Context, a app.Actor) error {
	d, err := s.readNew(c, coupon.Type)
	if err != nil {
		return err
	}
	terms := couponTerms(d)
	made, err := try(d.Faults, a, func(a app.Actor) (coupon.State, error) {
		return s.app.Coupons.Create(c.Request.Context(), a, terms)
	})
	if err != nil {
		return err
	}
	return s.Created(c, s.links.coupon(s.version, made.ID.UUID), s.coupon(a, made))
}

// couponTerms reads what the document says of a new coupon. The domain knows
// which texts and days it needs; of numbers that are absent it sees a 0, so they
// are missed here.
func couponTerms(d *request.Document) coupon.Terms {
	ch := couponChange(d)
	if ch.Value == nil {
		d.Fail(fault.Blank("value"))
	}
	if ch.MaximumUsages == nil {
		d.Fail(fault.Blank("maximum_usages"))
	}
	return coupon.Terms{
		Code: sent(ch.Code), Currency: sent(ch.Currency), StartOn: sent(ch.StartOn), EndOn: sent(ch.EndOn),
		Format: sent(ch.Format), Value: sent(ch.Value), MaximumUsages: sent(ch.MaximumUsages),
		Disabled: ch.Enabled != nil && !*ch.Enabled,
	}
}

// sent returns what v points at, the zero value when there is none.
func sent[T any](v *T) T {
	if v == nil {
		var none T
		return none
	}
	return *v
}
