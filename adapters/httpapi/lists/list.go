package lists

import (
	"context"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
	"lyceum/domain/property"
	"lyceum/domain/query"
)

// Listing describes a list of records of type T.
type Listing[T any] struct {
	Schema     query.Schema[T]
	SchemaOf   func(a app.Actor) query.Schema[T] // instead of Schema, if it depends on the school
	List       func(ctx context.Context, a app.Actor, q query.Query) (query.Result[T], error)
	ToResource func(a app.Actor, row T) jsonapi.Resource
	Types      []string          // types of the resources; nil: the type of ToResource's result
	Included   bool              // whether documents always have the member "included"
	Properties property.Resource // resource whose properties are also attributes; zero: none
	Feed       *Feed[T]          // for the change feed; nil: another list
	OfSchool   bool              // whether lists can be filtered by the relationship school
}

// Handler returns the handler that responds with a page of a list, or streams the whole list as
// CSV.
func Handler[T any](s *Server, l Listing[T]) func(c *gin.Context, a app.Actor) error {
	return func(c *gin.Context, a app.Actor) error {
		r, err := newPageRequest(c, s, a, l)
		if err == nil {
			err = r.place(c)
		}
		if err != nil {
			return err
		}
		if r.asked.Whole {
			return streamList(c, s, a, r.list, r.pager.query, r.selection)
		}
		defer func() { respond.StateOf(c).Slot.Release() }() // read may have changed the slot
		found, err := r.read(c)
		if err != nil {
			return err
		}
		return r.write(c, found)
	}
}

// showsProperties reports whether the selected parts of the resources include their properties.
func (l Listing[T]) showsProperties(a app.Actor, sel Selection) bool {
	sample := l.sample(a)
	kept, ok := sel.fields[sample.Type]
	return sample.HasMember(property.Field) && (!ok || kept[property.Field])
}

// sample returns a resource of the list with zero values.
func (l Listing[T]) sample(a app.Actor) jsonapi.Resource {
	var row T
	return l.ToResource(a, row)
}
