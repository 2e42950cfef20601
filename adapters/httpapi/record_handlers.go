package httpapi

import (
	"context"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/listquery"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
)

// getHandler returns the handler that responds with the record in the path.
func getHandler[ID request.RecordID, T any](
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
		return s.writeSingle(c, a, toResource(a, record))
	}
}

// writeSingle responds to a GET with a resource, reduced to the fields that the request selects,
// and with the related resources that it includes.
func (s *server) writeSingle(c *gin.Context, a app.Actor, r jsonapi.Resource) error {
	asked, err := listquery.ParseSelection(respond.StateOf(c).Query)
	if err != nil {
		return err
	}
	sel, err := s.lists.NewSelection(asked, func() jsonapi.Resource { return r })
	if err != nil {
		return err
	}
	data, included, err := sel.Apply(c.Request.Context(), a, []jsonapi.Resource{r})
	if err != nil {
		return err
	}
	return s.WriteOK(c, jsonapi.Single{Data: data[0], Included: included})
}

// creation describes how a record of type T is created from params of type P.
type creation[P, T any] struct {
	types      []string // types that the document may have
	read       func(d *request.Document) P
	create     func(ctx context.Context, a app.Actor, params P) (T, error)
	url        func(record T) string
	toResource func(a app.Actor, record T) jsonapi.Resource
}

// createHandler returns the handler that creates a resource.
func createHandler[P, T any](s *server, n creation[P, T]) handler {
	return func(c *gin.Context, a app.Actor) error {
		d, err := s.readNew(c, n.types...)
		if err != nil {
			return err
		}
		params := n.read(d)
		created, err := collectFaults(d.Faults, a, func(a app.Actor) (T, error) {
			return n.create(c.Request.Context(), a, params)
		})
		if err != nil {
			return err
		}
		return s.WriteResource(c, n.url(created), n.toResource(a, created))
	}
}

// updateHandler returns the handler that updates the record in the path. Its resource type is typ.
func updateHandler[ID request.RecordID, C, T any](
	s *server,
	typ string,
	read func(d *request.Document) C,
	update func(ctx context.Context, a app.Actor, id ID, changes C) (T, error),
	toResource func(a app.Actor, record T) jsonapi.Resource,
) handler {
	return func(c *gin.Context, a app.Actor) error {
		id, err := pathID(c)
		if err != nil {
			return err
		}
		d, err := s.readChange(c, id, typ)
		if err != nil {
			return err
		}
		changes := read(d)
		updated, err := collectFaults(d.Faults, a, func(a app.Actor) (T, error) {
			return update(c.Request.Context(), a, ID{id}, changes)
		})
		if err != nil {
			return err
		}
		return s.WriteOK(c, jsonapi.Single{Data: toResource(a, updated)})
	}
}

// deleteHandler returns the handler that deletes the record in the path. If the request has a body,
// its type must be one of types.
func deleteHandler[ID request.RecordID](
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
		s.ExtendWriteDeadline(c)
		if err := del(c.Request.Context(), a, ID{id}); err != nil {
			return err
		}
		respond.WriteNoContent(c)
		return nil
	}
}

// actionHandler returns the handler that calls do for the record in the path. It ignores
// the body.
func actionHandler[ID request.RecordID](do func(ctx context.Context, a app.Actor, id ID) error) handler {
	return func(c *gin.Context, a app.Actor) error {
		id, err := pathID(c)
		if err != nil {
			return err
		}
		if err := do(c.Request.Context(), a, ID{id}); err != nil {
			return err
		}
		respond.WriteNoContent(c)
		return nil
	}
}

// relationshipHandler returns the handler that changes a relationship of the record in the path. It
// reads resource identifiers of the given types, converts each with element, and calls change.
func relationshipHandler[ID request.RecordID, T any](
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
		_, err = collectFaults(faults, a, func(a app.Actor) (struct{}, error) {
			return struct{}{}, change(c.Request.Context(), a, ID{id}, elements)
		})
		if err != nil {
			return err
		}
		respond.WriteNoContent(c)
		return nil
	}
}

// idOf returns the ID of a resource identifier.
func idOf[ID request.RecordID](named request.Identifier) ID { return ID{named.ID} }
