package httpapi

import (
	"context"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/listquery"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/property"
	"lyceum/domain/query"
)

// listing describes a list of one type of records.
type listing[T any] struct {
	schema     query.Schema[T]
	list       func(ctx context.Context, a app.Actor, q query.Query) (query.Result[T], error)
	toResource func(a app.Actor, row T) jsonapi.Resource
	types      []string          // of the resources; nil: that of toResource
	included   bool              // whether documents have the member included without being asked for it
	properties property.Resource // whose properties are also attributes; zero: none
	ofSchool   bool              // whether resources have the relationship school, by which the list can then be filtered
}

// list returns the handler of a list.
func list[T any](s *server, l listing[T]) handler {
	return func(c *gin.Context, a app.Actor) error {
		x := respond.StateOf(c)
		asked, errSyntax := listquery.Parse(x.Query, x.CSV)
		schema := l.schema
		if l.ofSchool {
			schema = schema.WithConstant("school.id", a.School().UUID)
		}
		q, errMeaning := query.Build(schema, asked.Request)
		if errMeaning != nil && l.properties != (property.Resource{}) {
			// Only if the schema without properties does not understand the request, the request
			// may refer to a property.
			full, err := withProperties(c.Request.Context(), s, a, schema, l.properties)
			if err != nil {
				return err
			}
			q, errMeaning = query.Build(full, asked.Request)
		}
		sel, errSelection := s.selectionOf(x.CSV, asked, func() jsonapi.Resource { return l.sample(a) }, l.types)
		if err := fault.Join(errSyntax, errMeaning, errSelection); err != nil {
			return err
		}
		q.Count = asked.Count
		p := pager[T]{schema: schema, query: q, scope: query.NewScope(a.School().UUID, listName(c), q)}
		if err := p.read(asked.Cursor); err != nil {
			return err
		}
		q = p.query
		if asked.Whole {
			return streamList(c, s, a, l, q, sel)
		}
		result, err := l.list(c.Request.Context(), a, q)
		if err != nil {
			return err
		}
		data := make([]jsonapi.Resource, len(result.Items))
		for i, row := range result.Items {
			data[i] = l.toResource(a, row)
		}
		links := p.links(s.links.Base+c.Request.URL.EscapedPath(), asked, result)
		if x.CSV {
			return writeCSV(c, s, a, l, data, links, sel)
		}
		document := jsonapi.List{Links: links}
		if document.Data, document.Included, err = sel.apply(c.Request.Context(), a, data); err != nil {
			return err
		}
		if l.included && document.Included == nil {
			document.Included = &[]jsonapi.Resource{}
		}
		if asked.Count {
			document.Meta = &jsonapi.ListMeta{Total: result.Total}
		}
		return s.WriteOK(c, document)
	}
}

// sample returns a resource of the list, with any values.
func (l listing[T]) sample(a app.Actor) jsonapi.Resource {
	var row T
	return l.toResource(a, row)
}

// listByRef is like listOf, for a path with an ID or another reference, which find resolves to an
// ID.
func listByRef[T any](
	s *server,
	find func(ctx context.Context, a app.Actor, ref string, q query.Query) (query.Result[T], error),
	l listing[T],
) handler {
	return func(c *gin.Context, a app.Actor) error {
		ref, l := c.Param("id"), l
		l.list = func(ctx context.Context, a app.Actor, q query.Query) (query.Result[T], error) {
			return find(ctx, a, ref, q)
		}
		return list(s, l)(c, a)
	}
}

// listOf returns the handler of the list of a record's dependents. find is used instead of l.list.
func listOf[ID request.RecordID, T any](
	s *server,
	find func(ctx context.Context, a app.Actor, id ID, q query.Query) (query.Result[T], error),
	l listing[T],
) handler {
	return func(c *gin.Context, a app.Actor) error {
		id, err := pathID(c)
		if err != nil {
			return err
		}
		l := l
		l.list = func(ctx context.Context, a app.Actor, q query.Query) (query.Result[T], error) {
			return find(ctx, a, ID{id}, q)
		}
		return list(s, l)(c, a)
	}
}
