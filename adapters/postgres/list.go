package postgres

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"lyceum/domain/query"
)

// listing is how the rows R of one table become a list of T: the compilation of
// query.Query to SQL. The table goes by the alias r, and its columns come from
// this declaration alone, never from a request.
type listing[R, T any] struct {
	table   string
	columns string            // of the select list, each named as R wants it
	attrs   map[string]column // by Attr.Source
	sort    []query.Order     // of a query that names none
	convert func(R) (T, error)
}

// column is where an attribute stands.
type column struct {
	expr string
	fold string // text.Fold of expr, with COLLATE "C"; texts only
	from string // the rows that expr is of, one for each member of a set; sets only
}

// textColumn is a text column with its fold beside it.
func textColumn(name string) column {
	return column{expr: "r." + name, fold: "r." + name + "_fold"}
}

// setColumn is the set of what is in the column member of the rows of table that
// belong to r, as owner says. The table goes by the alias k.
func setColumn(member, table, owner string) column {
	return column{
		expr: "k." + member,
		from: table + " k WHERE k.school_id = r.school_id AND k." + owner + " = r.id",
	}
}

// page returns the page of q.
func (l listing[R, T]) page(ctx context.Context, c *session, q query.Query) (query.Result[T], error) {
	var none query.Result[T]
	text, r := l.render(q, c.school)
	if r.err != nil {
		return none, r.err
	}
	rows := []R{}
	read := c.all
	if r.varied {
		read = c.allOnce
	}
	if err := read(ctx, &rows, text, r.args...); err != nil {
		return none, err
	}
	more := len(rows) > q.Page.Limit()
	if more {
		rows = rows[:q.Page.Limit()]
	}
	items := make([]T, len(rows))
	for i, row := range rows {
		item, err := l.convert(row)
		if err != nil {
			return none, fmt.Errorf("postgres: read from %s: %w", l.table, err)
		}
		items[i] = item
	}
	return query.Result[T]{Items: items, More: more}, nil
}

// render returns the statement of q for a school. It asks for one row more than
// the page holds. Behind the first page an inner query, which can be served by
// an index alone, finds the ids, and the rest is read for these only.
func (l listing[R, T]) render(q query.Query, school any) (string, *rendering) {
	r := &rendering{attrs: l.attrs}
	where := "r.school_id = " + r.bind(school) + " AND " + r.where(q.Where)
	sort := q.Sort
	if len(sort) == 0 {
		sort = l.sort
	}
	order := r.order(sort)
	limit := strconv.Itoa(q.Page.Limit() + 1)

	var b strings.Builder
	fmt.Fprintf(&b, "SELECT %s FROM ", l.columns)
	tail := fmt.Sprintf("%s r WHERE %s ORDER BY %s LIMIT %s", l.table, where, order, limit)
	if q.Page.Offset() == 0 {
		b.WriteString(tail)
		return b.String(), r
	}
	fmt.Fprintf(&b, "(SELECT r.id FROM %s OFFSET %s) page JOIN %s r ON r.school_id = $1 AND r.id = page.id ORDER BY %s",
		tail, r.bind(q.Page.Offset()), l.table, order)
	return b.String(), r
}

// one returns the row id as lists show it.
func (l listing[R, T]) one(ctx context.Context, c *session, id any) (T, error) {
	var row R
	text := "SELECT " + l.columns + " FROM " + l.table + " r WHERE r.school_id = $1 AND r.id = $2"
	if err := c.get(ctx, &row, text, c.school, id); err != nil {
		var none T
		return none, missing(err)
	}
	return l.convert(row)
}
