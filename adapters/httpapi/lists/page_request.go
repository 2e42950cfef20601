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

// pageRequest is a request for a page of a list, or for the whole list as CSV.
type pageRequest[T any] struct {
	server    *Server
	actor     app.Actor
	list      Listing[T] // with the schema of the actor's school
	asked     listquery.Request
	follow    listquery.Follow // of a feed
	selection Selection
	pager     pager[T]
}

// newPageRequest parses the parameters of a request. It returns the faults of all of them together.
func newPageRequest[T any](c *gin.Context, s *Server, a app.Actor, l Listing[T]) (pageRequest[T], error) {
	if l.SchemaOf != nil {
		l.Schema = l.SchemaOf(a)
	}
	r := pageRequest[T]{server: s, actor: a, list: l, pager: pager[T]{schema: l.Schema}}
	if l.OfSchool {
		r.pager.schema = l.Schema.WithConstant("school.id", a.School().UUID)
	}
	x := respond.StateOf(c)
	var errSyntax, errMeaning, errSelection, errFollow error
	r.asked, errSyntax = listquery.Parse(x.Query, x.CSV)
	q, errMeaning := query.Build(r.pager.schema, r.asked.Request)
	if errMeaning != nil && l.Properties != (property.Resource{}) {
		// The properties are read only if the schema without them cannot parse the request.
		full, err := withProperties(c.Request.Context(), s, a, r.pager.schema, l.Properties)
		if err != nil {
			return r, err
		}
		q, errMeaning = query.Build(full, r.asked.Request)
	}
	r.selection, errSelection = s.selectionOf(x.CSV, r.asked, func() jsonapi.Resource { return l.sample(a) }, l.Types)
	if l.Feed != nil {
		r.follow, errFollow = listquery.ParseFollow(x.Query)
	}
	q.Count = r.asked.Count
	q.WithoutProperties = !x.CSV && !l.showsProperties(a, r.selection) &&
		!slices.ContainsFunc(q.Sort, func(o query.Order) bool { return o.Attr.Property != "" })
	r.pager.query = q
	return r, fault.Join(errSyntax, errMeaning, errSelection, errFollow)
}

// place finds the place of the page in the list: by its cursor, by the parameter "after" of a feed,
// or else by its number.
func (r *pageRequest[T]) place(c *gin.Context) error {
	r.pager.scope = query.NewScope(r.actor.School().UUID, listName(c), r.pager.query)
	if r.list.Feed != nil {
		feed, err := r.list.Feed.State(c.Request.Context(), r.actor)
		if err != nil {
			return err
		}
		r.pager.scope = r.pager.scope.InStore(feed.Store)
		if after := r.follow.After; after != nil {
			if after.Store != feed.Store {
				return errOtherStore()
			}
			at := r.pager.schema.Edge(r.pager.query.Sort, r.list.Feed.At(after.Number), false)
			r.pager.query.Cursor = &at
		}
	}
	return r.pager.applyCursor(r.asked.Cursor)
}

// read returns the rows of the page. For a feed that is followed, it waits for rows.
func (r *pageRequest[T]) read(c *gin.Context) (query.Result[T], error) {
	if r.follow.Wait == nil {
		return r.list.List(c.Request.Context(), r.actor, r.pager.query)
	}
	found, err := readFeed(c, r.server, r.actor, r.list, r.pager.query, *r.follow.Wait)
	r.pager.end = r.list.Feed.end(r.pager.schema, r.pager.query, found.Items)
	r.asked.Shared = strings.Trim(r.asked.Shared+"&"+r.follow.Shared, "&")
	return found, err
}

// write responds with the page.
func (r *pageRequest[T]) write(c *gin.Context, found query.Result[T]) error {
	data := make([]jsonapi.Resource, len(found.Items))
	for i, row := range found.Items {
		data[i] = r.list.ToResource(r.actor, row)
	}
	links := r.pager.links(r.server.Base+c.Request.URL.EscapedPath(), r.asked, found)
	if r.follow.After != nil {
		links.Self = links.Self + separator(links.Self) + "after=" + r.follow.After.String()
	}
	if respond.StateOf(c).CSV {
		return writeCSV(c, r.server, r.actor, r.list, data, links, r.selection)
	}
	document := jsonapi.List{Links: links}
	var err error
	if document.Data, document.Included, err = r.selection.Apply(c.Request.Context(), r.actor, data); err != nil {
		return err
	}
	if r.list.Included && document.Included == nil {
		document.Included = &[]jsonapi.Resource{}
	}
	if r.asked.Count {
		document.Meta = &jsonapi.ListMeta{Total: found.Total}
	}
	return r.server.WriteOK(c, document)
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
