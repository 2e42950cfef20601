package httpapi

import (
	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/redemption"
)

// redeemerField is the name of the relationship of a redemption to the person who uses the coupon.
const redeemerField = "person"

func (s *server) listRedemptions() handler {
	return listOf(s, s.app.Redemptions.ListOf, lists.Listing[redemption.Summary]{
		Schema: redemption.Schema, ToResource: s.redemption,
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
	by := request.ToOne[person.ID](d, redeemerField, person.Type)
	made, err := collectFaults(d.Faults, a, func(a app.Actor) (redemption.Summary, error) {
		made, err := s.app.Redemptions.Redeem(c.Request.Context(), a, coupon.ID{UUID: id}, by)
		return made, redemptionFaults(err)
	})
	if err != nil {
		return err
	}
	return s.WriteResource(c, s.links.redemption(made.ID.UUID), s.redemption(a, made))
}

// redemptionFaults returns err with each fault on a field of the redemption's document. A fault on
// an attribute of the coupon becomes a fault on the document's data.
func redemptionFaults(err error) error {
	if !fault.IsRefusal(err) {
		return err
	}
	var mapped []error
	for _, f := range fault.All(err) {
		switch {
		case f.Field == redeemerField:
			mapped = append(mapped, f)
		case f.Field != "":
			mapped = append(mapped, fault.OnField(request.DataMember, f))
		default:
			return err
		}
	}
	return fault.Join(mapped...)
}

type redemptionAttributes struct {
	CreatedAt string `json:"created_at"`
}

type redemptionRelationships struct {
	Coupon jsonapi.ToOne `json:"coupon"`
	Person jsonapi.ToOne `json:"person"`
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
		Links: selfLink{Self: s.links.redemption(r.ID.UUID)},
	}
}
