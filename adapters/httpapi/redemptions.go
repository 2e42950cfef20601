package httpapi

import (
	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/app"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/redemption"
)

// redeemer is the relationship of a redemption with who uses the coupon.
const redeemer = "person"

func (s *server) listRedemptions() handler {
	return listOf(s, s.app.Redemptions.ListOf, listing[redemption.Summary]{
		schema: redemption.Schema, toResource: s.redemption,
	})
}

func (s *server) redeemCoupon(c *gin.Context, a app.Actor) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	d, err := s.readNew(c, redemption.Type)
	if err != nil {
		return err
	}
	by := request.ToOne[person.ID](d, redeemer, person.Type)
	made, err := try(d.Faults, a, func(a app.Actor) (redemption.Summary, error) {
		made, err := s.app.Redemptions.Redeem(c.Request.Context(), a, coupon.ID{UUID: id}, by)
		return made, redeeming(err)
	})
	if err != nil {
		return err
	}
	return s.Created(c, s.links.redemption(made.ID.UUID), s.redemption(a, made))
}

// redeeming returns err with fields of the document of a redemption. An attribute of
// the coupon is none of them: a fault on it is one on the document as a whole.
func redeeming(err error) error {
	if !fault.IsRefusal(err) {
		return err
	}
	var told []error
	for _, f := range fault.All(err) {
		switch {
		case f.Field == redeemer:
			told = append(told, f)
		case f.Field != "":
			told = append(told, fault.At(request.DataMember, f))
		default:
			return err
		}
	}
	return fault.Join(told...)
}

type redemptionAttributes struct {
	CreatedAt string `json:"created_at"`
}

type redemptionRelationships struct {
	Coupon jsonapi.ToOne `json:"coupon"`
	Person jsonapi.ToOne `json:"person"`
}

type redemptionLinks struct {
	Self string `json:"self"`
}

func (s *server) redemption(_ app.Actor, r redemption.Summary) jsonapi.Resource {
	return jsonapi.Resource{
		Type:       redemption.Type,
		ID:         r.ID.String(),
		Attributes: redemptionAttributes{CreatedAt: timestamp(r.CreatedAt)},
		Relationships: redemptionRelationships{
			Coupon: jsonapi.One(coupon.Type, r.Coupon.String()),
			Person: jsonapi.One(person.Type, r.Person.String()),
		},
		Links: redemptionLinks{Self: s.links.redemption(r.ID.UUID)},
	}
}
