package lists

import (
	"errors"
	"strings"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/listquery"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/query"
	"lyceum/domain/text"
)

// pager finds a page by its cursor and creates the cursors of the adjacent pages.
type pager[T any] struct {
	schema query.Schema[T]
	query  query.Query
	scope  query.Scope
	end    *query.Cursor // cursor of the page after the last one; nil: the last page has no next one
}

// listName returns the name of a request's list for cursors: the path without the version, so that
// both versions share cursors, with IDs in canonical form.
func listName(c *gin.Context) string {
	_, name, _ := strings.Cut(c.FullPath()[1:], "/")
	ref := c.Param("id")
	if id, ok := text.UUID(ref); ok {
		ref = id.String()
	}
	return strings.Replace(name, ":id", ref, 1)
}

// applyCursor parses cursor and sets the cursor of the query. It sets none for page 1, or if cursor is nil
// or was created for another page or limit; the page is then found by its number. An invalid cursor
// is Malformed; a cursor of another database is Gone.
func (p *pager[T]) applyCursor(cursor *string) error {
	if cursor == nil {
		return nil
	}
	at, page, err := p.schema.ParseCursor(*cursor, p.query.Sort, p.scope)
	if errors.Is(err, query.ErrOtherStore) {
		return errOtherStore()
	}
	if err != nil {
		return fault.Malformedf("cursor",
			"is damaged or belongs to a different list, filter, search or sort; use links.next and links.prev unchanged")
	}
	if page == p.query.Page && page.Number() > 1 {
		p.query.Cursor = &at
	}
	return nil
}

// errOtherStore returns the fault for a position in the feed of another database.
func errOtherStore() error {
	return app.ErrFeedGone("belongs to an earlier state of the database, which was restored or replaced")
}

// separator returns the character that joins a parameter to an address.
func separator(address string) string {
	if strings.Contains(address, "?") {
		return "&"
	}
	return "?"
}

// links returns the links of the page with the rows in found. address is the URL of the list
// without a query.
func (p *pager[T]) links(address string, asked listquery.Request, found query.Result[T]) jsonapi.Pages {
	links := jsonapi.PageLinks{Address: address, Query: asked.Shared, Number: p.query.Page.Number(), More: found.More}
	if p.query.Cursor != nil && asked.Cursor != nil {
		links.Self = *asked.Cursor
	}
	if links.Number > 1 {
		links.Prev = p.cursorText(p.edge(found.Items, true), -1)
	}
	if links.More {
		links.Next = p.cursorText(p.edge(found.Items, false), +1)
	} else if p.end != nil {
		links.More, links.Next = true, p.cursorText(p.end, +1)
	}
	return links.Pages()
}

// edge returns the cursor before the first row of the page or after its last row. For a page
// without rows it is derived from the page's own cursor, or is nil if the page has no cursor.
func (p *pager[T]) edge(rows []T, backward bool) *query.Cursor {
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

// cursorText returns the text of c for a link to another page, or "" if c is nil. The number of
// that page is the current number plus further.
func (p *pager[T]) cursorText(c *query.Cursor, further int64) string {
	if c == nil {
		return ""
	}
	return c.Text(p.scope, query.NewPage(p.query.Page.Number()+further, p.query.Page.Limit()))
}
