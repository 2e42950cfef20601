package httpapi

import (
	"context"
	"slices"
	"strings"

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

// listing describes a list of records of type T.
type listing[T any] struct {
	schema     query.Schema[T]
	schemaOf   func(a app.Actor) query.Schema[T] // instead of schema, if it depends on the school
	list       func(ctx context.Context, a app.Actor, q query.Query) (query.Result[T], error)
	toResource func(a app.Actor, row T) jsonapi.Resource
	types      []string          // types of the resources; nil: the type of toResource's result
	included   bool              // whether documents always have the member "included"
	properties property.Resource // resource whose properties are also attributes; zero: none
	feed       *feedListing[T]   // for the change feed; nil: another list
	ofSchool   bool              // whether lists can be filtered by the relationship school
}

// list returns the handler that responds with a page of a list, or streams the whole list as CSV.
func list[T any](s *server, l listing[T]) handler {
	return func(c *gin.Context, a app.Actor) error {
		x := respond.StateOf(c)
		asked, errSyntax := listquery.Parse(x.Query, x.CSV)
		l := l
		if l.schemaOf != nil {
			l.schema = l.schemaOf(a)
		}
		schema := l.schema
		if l.ofSchool {
			schema = schema.WithConstant("school.id", a.School().UUID)
		}
		q, errMeaning := query.Build(schema, asked.Request)
		if errMeaning != nil && l.properties != (property.Resource{}) {
			// The properties are read only if the schema without them cannot parse the request.
			full, err := withProperties(c.Request.Context(), s, a, schema, l.properties)
			if err != nil {
				return err
			}
			q, errMeaning = query.Build(full, asked.Request)
		}
		sel, errSelection := s.selectionOf(x.CSV, asked, func() jsonapi.Resource { return l.sample(a) }, l.types)
		var follow listquery.Follow
		var errFollow error
		if l.feed != nil {
			follow, errFollow = listquery.ParseFollow(x.Query)
		}
		if err := fault.Join(errSyntax, errMeaning, errSelection, errFollow); err != nil {
			return err
		}
		q.Count = asked.Count
		q.WithoutProperties = !x.CSV && !l.showsProperties(a, sel) && !slices.ContainsFunc(q.Sort, func(o query.Order) bool { return o.Attr.Property != "" })
		p := pager[T]{schema: schema, query: q, scope: query.NewScope(a.School().UUID, listName(c), q)}
		if l.feed != nil {
			feed, err := l.feed.state(c.Request.Context(), a)
			if err != nil {
				return err
			}
			p.scope = p.scope.InStore(feed.Store)
			if after := follow.After; after != nil {
				if after.Store != feed.Store {
					return errOtherStore()
				}
				at := schema.Edge(q.Sort, l.feed.at(after.Number), false)
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
			result, err = l.list(c.Request.Context(), a, q)
		} else {
			defer func() { x.Slot.Release() }() // readFeed may have changed the slot
			result, err = readFeed(c, s, a, l, q, *follow.Wait)
			p.end = l.feed.end(schema, q, result.Items)
			asked.Shared = strings.Trim(asked.Shared+"&"+follow.Shared, "&")
		}
		if err != nil {
			return err
		}
		data := make([]jsonapi.Resource, len(result.Items))
		for i, row := range result.Items {
			data[i] = l.toResource(a, row)
		}
		links := p.links(s.links.Base+c.Request.URL.EscapedPath(), asked, result)
		if follow.After != nil {
			links.Self = links.Self + separator(links.Self) + "after=" + follow.After.String()
		}
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

// showsProperties reports whether the selected parts of the resources include their properties.
func (l listing[T]) showsProperties(a app.Actor, sel selection) bool {
	sample := l.sample(a)
	kept, ok := sel.fields[sample.Type]
	return sample.HasMember(property.Field) && (!ok || kept[property.Field])
}

// sample returns a resource of the list with zero values.
func (l listing[T]) sample(a app.Actor) jsonapi.Resource {
	var row T
	return l.toResource(a, row)
}

// listByRef is like listOf, but the path may contain a reference other than an ID, such as a
// permalink. find resolves the reference.
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

// listOf returns the handler of the list of the records that belong to the record in the path. It
// calls find instead of l.list.
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
