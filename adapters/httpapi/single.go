package httpapi

import (
	"context"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
)

// show returns the handler that answers with the record in the path.
func show[ID request.RecordID, T any](
	s *server,
	find func(ctx context.Context, a app.Actor, id ID) (T, error),
	toResource func(a app.Actor, record T) jsonapi.Resource,
) handler {
	return func(c *gin.Context, a app.Actor) error {
		id, err := pathID(c)
		if err != nil {
			return err
		}
		record, err := find(c.Request.Context(), a, ID{id})
		if err != nil {
			return err
		}
		return s.OK(c, jsonapi.Single{Data: toResource(a, record)})
	}
}

// remove returns the handler that deletes the record in the path. A body that
// says of which type it is must say one of types.
func remove[ID request.RecordID](
	s *server,
	del func(ctx context.Context, a app.Actor, id ID) error,
	types ...string,
) handler {
	return func(c *gin.Context, a app.Actor) error {
		id, err := pathID(c)
		if err != nil {
			return err
		}
		if err := s.checkDeletion(c, id, types...); err != nil {
			return err
		}
		if err := del(c.Request.Context(), a, ID{id}); err != nil {
			return err
		}
		respond.NoContent(c)
		return nil
	}
}

// act returns the handler that does something to the record in the path. There
// is nothing to say of it, so a body is not read.
func act[ID request.RecordID](do func(ctx context.Context, a app.Actor, id ID) error) handler {
	return func(c *gin.Context, a app.Actor) error {
		id, err := pathID(c)
		if err != nil {
			return err
		}
		if err := do(c.Request.Context(), a, ID{id}); err != nil {
			return err
		}
		respond.NoContent(c)
		return nil
	}
}
