package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/jmoiron/sqlx"
)

const size = 25 // number of rows of a page

// list is a list of the API. It selects rows of type R and returns resources of type D.
type list[R, D any] struct {
	path string
	// first selects the first page. any selects any page, with the offset $2. filters maps a query
	// parameter to its statement, in which $2 is the value of the parameter. In all statements $1
	// is the school, and the limit is a literal.
	first, any string
	filters    map[string]string
	// search and order are the parts of the statement for the parameter q before and after its
	// conditions: the column searched must contain each word. A blank searched means no search.
	search, searched, order string
	show                    func(R) D
}

// add prepares the statements and adds the route.
func (l list[R, D]) add(ctx context.Context, b *bare, on gin.IRoutes) error {
	first, err := b.db.PreparexContext(ctx, l.first)
	if err != nil {
		return err
	}
	any, err := b.db.PreparexContext(ctx, l.any)
	if err != nil {
		return err
	}
	filters := map[string]selector{}
	for parameter, text := range l.filters {
		stmt, err := b.db.PreparexContext(ctx, text)
		if err != nil {
			return err
		}
		filters[parameter] = stmt
	}
	on.GET(l.path, func(c *gin.Context) {
		for parameter, stmt := range filters {
			if value := c.Query(parameter); value != "" {
				l.respond(c, b, 1, stmt, b.school, value)
				return
			}
		}
		if words := strings.Fields(strings.ToLower(c.Query("q"))); len(words) > 0 && l.searched != "" {
			text, args := l.searchFor(words, b.school)
			l.respond(c, b, 1, unpreparedStatement{b.db, text}, args...)
			return
		}
		if page, _ := strconv.Atoi(c.Query("page")); page > 1 {
			l.respond(c, b, page, any, b.school, (page-1)*size)
			return
		}
		l.respond(c, b, 1, first, b.school)
	})
	return nil
}

// searchFor returns the statement that searches for all words, and its arguments.
func (l list[R, D]) searchFor(words []string, school any) (text string, args []any) {
	text, args = l.search, []any{school}
	for _, word := range words {
		args = append(args, "%"+word+"%")
		text += fmt.Sprintf(" AND %s LIKE $%d", l.searched, len(args))
	}
	return text + l.order, args
}

// selector is a statement that selects rows.
type selector interface {
	SelectContext(ctx context.Context, rows any, args ...any) error
}

// unpreparedStatement is planned again at each execution, because the best plan depends on the
// arguments: a search for a common word needs a different plan than a search for a rare word.
type unpreparedStatement struct {
	db   *sqlx.DB
	text string
}

func (u unpreparedStatement) SelectContext(ctx context.Context, rows any, args ...any) error {
	return u.db.SelectContext(ctx, rows, u.text, args...)
}

func (l list[R, D]) respond(c *gin.Context, b *bare, page int, stmt selector, args ...any) {
	var rows []R
	if err := stmt.SelectContext(c, &rows, args...); err != nil {
		fail(c, err)
		return
	}
	doc := document[[]D]{Links: links{Self: b.base + c.Request.URL.String()}}
	if len(rows) > size {
		query := c.Request.URL.Query()
		query.Set("page", strconv.Itoa(page+1))
		doc.Links.Next = b.base + l.path + "?" + query.Encode()
		rows = rows[:size]
	}
	doc.Data = make([]D, len(rows))
	for i, row := range rows {
		doc.Data[i] = l.show(row)
	}
	send(c, http.StatusOK, doc)
}

func send(c *gin.Context, status int, doc any) {
	body, err := json.Marshal(doc)
	if err != nil {
		fail(c, err)
		return
	}
	c.Data(status, "application/vnd.api+json", body)
}

func fail(c *gin.Context, err error) { c.String(http.StatusInternalServerError, err.Error()) }
