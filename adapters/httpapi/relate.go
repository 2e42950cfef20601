package httpapi

import (
	"context"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
)

// relate returns the handler of a change to what the record in the path is
// related to: it reads identifiers, each of one of types, makes an element of
// each and applies change to them.
func relate[ID request.RecordID, T any](
	s *server,
	change func(ctx context.Context, a app.Actor, id ID, elements []T) error,
	element func(named request.Identifier) T,
	types ...string,
) handler {
	return func(c *gin.Context, a app.Actor) error {
		id, err := pathID(c)
		if err != nil {
			return err
		}
		payload, err := s.readRequired(c)
		if err != nil {
			return err
		}
		named, faults, err := request.ParseIdentifiers(payload, types...)
		if err != nil {
			return err
		}
		elements := make([]T, len(named))
		for i, n := range named {
			elements[i] = element(n)
		}
		_, err = try(faults, a, func(a app.Actor) (struct{}, error) {
			return struct{}{}, change(c.Request.Context(), a, ID{id}, elements)
		})
		if err != nil {
			return err
		}
		respond.NoContent(c)
		return nil
	}
}

// idOf is the element of a relationship that consists of ids alone.
func idOf[ID request.RecordID](named request.Identifier) ID { return ID{named.ID} }
