package httpapi

import (
	"strings"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/domain/fault"
	"lyceum/domain/query"
	"lyceum/domain/text"
)

// paging finds the place of a page in its list, and those of the pages next to it.
type paging[T any] struct {
	schema query.Schema[T]
	query  query.Query
	scope  query.Scope
}

// listName returns the name of a request's list for cursors, the same in both
// versions of the API: the path, without the version and with the id as documents
// write it.
func listName(c *gin.Context) string {
	_, name, _ := strings.Cut(c.FullPath()[1:], "/")
	ref := c.Param("id")
	if id, ok := text.UUID(ref); ok {
		ref = id.String()
	}
	return strings.Replace(name, ":id", ref, 1)
}

// read reads the cursor of the request, nil when there is none. A cursor that was
// made for another page or limit is ignored, and the page is counted; page 1 has no
// cursor, and so is always counted.
func (p *paging[T]) read(cursor *string) error {
	if cursor == nil {
		return nil
	}
	at, page, err := p.schema.ParseCursor(*cursor, p.query.Sort, p.scope)
	if err != nil {
		return fault.Parameterf("cursor",
			"is damaged, or belongs to another list, filter, search or sort; take it from links.next or links.prev as it is")
	}
	if page == p.query.Page && page.Number() > 1 {
		p.query.Cursor = &at
	}
	return nil
}

// links returns the links of the page that was found.
func (p *paging[T]) links(address string, asked listRequest, found query.Result[T]) jsonapi.Pages {
	links := jsonapi.PageLinks{Address: address, Query: asked.kept, Number: p.query.Page.Number(), More: found.More}
	if p.query.Cursor != nil {
		links.Self = *asked.cursor
	}
	if links.Number > 1 {
		links.Prev = p.text(p.edge(found.Items, true), -1)
	}
	if links.More {
		links.Next = p.text(p.edge(found.Items, false), +1)
	}
	return links.Pages()
}

// edge returns the cursor before the first row of the page or after its last one.
// A page without rows that was found by a cursor has its neighbors on both sides of
// that; one that was counted has none, and edge returns nil.
func (p *paging[T]) edge(rows []T, backward bool) *query.Cursor {
	switch {
	case len(rows) > 0 && backward:
		c := p.schema.Edge(p.query.Sort, rows[0], true)
		return &c
	case len(rows) > 0:
		c := p.schema.Edge(p.query.Sort, rows[len(rows)-1], false)
		return &c
	case p.query.Cursor != nil && p.query.Cursor.Backward != backward:
		c := p.query.Cursor.Opposite()
		return &c
	}
	return p.query.Cursor
}

// text returns the cursor of the page so many pages further.
func (p *paging[T]) text(c *query.Cursor, further int64) string {
	if c == nil {
		return ""
	}
	return c.Text(p.scope, query.NewPage(p.query.Page.Number()+further, p.query.Page.Limit()))
}
