package lists

import (
	"context"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/listquery"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
	"lyceum/domain/fault"
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
		x := respond.StateOf(c)
		asked, errSyntax := listquery.Parse(x.Query, x.CSV)
		l := l
		if l.SchemaOf != nil {
			l.Schema = l.SchemaOf(a)
		}
		schema := l.Schema
		if l.OfSchool {
			schema = schema.WithConstant("school.id", a.School().UUID)
		}
		q, errMeaning := query.Build(schema, asked.Request)
		if errMeaning != nil && l.Properties != (property.Resource{}) {
			// The properties are read only if the schema without them cannot parse the request.
			full, err := withProperties(c.Request.Context(), s, a, schema, l.Properties)
			if err != nil {
				return err
			}
			q, errMeaning = query.Build(full, asked.Request)
		}
		sel, errSelection := s.selectionOf(x.CSV, asked, func() jsonapi.Resource { return l.sample(a) }, l.Types)
		var follow listquery.Follow
		var errFollow error
		if l.Feed != nil {
			follow, errFollow = listquery.ParseFollow(x.Query)
		}
		if err := fault.Join(errSyntax, errMeaning, errSelection, errFollow); err != nil {
			return err
		}
		q.Count = asked.Count
		q.WithoutProperties = !x.CSV && !l.showsProperties(a, sel) && !slices.ContainsFunc(q.Sort, func(o query.Order) bool { return o.Attr.Property != "" })
		p := pager[T]{schema: schema, query: q, scope: query.NewScope(a.School().UUID, listName(c), q)}
		if l.Feed != nil {
			feed, err := l.Feed.State(c.Request.Context(), a)
			if err != nil {
				return err
			}
			p.scope = p.scope.InStore(feed.Store)
			if after := follow.After; after != nil {
				if after.Store != feed.Store {
					return errOtherStore()
				}
				at := schema.Edge(q.Sort, l.Feed.At(after.Number), false)
				p.query.Cursor = &at
			}
		}
		if err := p.read(asked.Cursor); err != nil {
			return err
		}
		q = p.query
		if asked.Whole {
			return streamList(c, s, a, l, q, sel)
		}
		var result query.Result[T]
		var err error
		if follow.Wait == nil {
			result, err = l.List(c.Request.Context(), a, q)
		} else {
			defer func() { x.Slot.Release() }() // readFeed may have changed the slot
			result, err = readFeed(c, s, a, l, q, *follow.Wait)
			p.end = l.Feed.end(schema, q, result.Items)
			asked.Shared = strings.Trim(asked.Shared+"&"+follow.Shared, "&")
		}
		if err != nil {
			return err
		}
		data := make([]jsonapi.Resource, len(result.Items))
		for i, row := range result.Items {
			data[i] = l.ToResource(a, row)
		}
		links := p.links(s.Base+c.Request.URL.EscapedPath(), asked, result)
		if follow.After != nil {
			links.Self = links.Self + separator(links.Self) + "after=" + follow.After.String()
		}
		if x.CSV {
			return writeCSV(c, s, a, l, data, links, sel)
		}
		document := jsonapi.List{Links: links}
		if document.Data, document.Included, err = sel.Apply(c.Request.Context(), a, data); err != nil {
			return err
		}
		if l.Included && document.Included == nil {
			document.Included = &[]jsonapi.Resource{}
		}
		if asked.Count {
			document.Meta = &jsonapi.ListMeta{Total: result.Total}
		}
		return s.WriteOK(c, document)
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

// withProperties returns schema with the properties that the actor's school has defined for r.
func withProperties[T any](
	ctx context.Context, s *Server, a app.Actor, schema query.Schema[T], r property.Resource,
) (query.Schema[T], error) {
	defined, err := s.Defined(ctx, a, r)
	if err != nil {
		return schema, err
	}
	var attrs []query.Attr
	var closed []string
	for _, d := range defined {
		if d.Filterable {
			attrs = append(attrs, d.Attr())
		} else {
			closed = append(closed, d.Attr().Name)
		}
	}
	return schema.Extend(attrs, closed), nil
}
