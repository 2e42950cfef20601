package postgres

import (
	"context"
	"fmt"
	"strings"

	"lyceum/domain/query"
)

// listing is how the rows R of one table become a list of T: the compilation of
// query.Query to SQL. The table goes by the alias r, and its columns come from
// this declaration alone, never from a request.
type listing[R, T any] struct {
	table   string
	columns string            // of the select list, each named as R wants it
	key     []string          // the columns of r that tell rows apart and decide ties; the id unless named
	others  []*other          // the tables, beside r, that columns names
	attrs   map[string]column // by Attr.Source
	sort    []query.Order     // of a query that names none
	convert func(R) (T, error)
}

// column is where an attribute stands.
type column struct {
	expr string
	fold string // text.Fold of expr, with COLLATE "C"; texts only
	from string // the rows that expr is of, one for each member of a set; sets only
	// parts are the UUIDs of which expr, a token, is made: joined by colons they
	// are equal and ordered as they are one by one, and only these are indexed.
	parts []string
	via   *other // the table of expr and fold; nil when that is r
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

// plainText is a text column, or an expression, that is its own fold.
func plainText(expr string) column {
	return column{expr: expr, fold: "(" + expr + ` COLLATE "C")`}
}

// hundredths is a number kept as a whole number of hundredths.
func hundredths(expr string) column { return column{expr: "(" + expr + " / 100.0)"} }

// joined is a token that is made of UUIDs.
func joined(parts []string) column {
	return column{expr: `((` + strings.Join(parts, "::text || ':' || ") + `::text) COLLATE "C")`, parts: parts}
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
// an index alone, finds the ids, and the rest is read for these only; likewise
// other tables are looked at for the rows of the page alone.
func (l listing[R, T]) render(q query.Query, school any) (string, *rendering) {
	r := &rendering{attrs: l.attrs, key: l.keys()}
	r.bind(school) // $1, everywhere
	sort := q.Sort
	if len(sort) == 0 {
		sort = l.sort
	}
	order := r.order(sort)
	near, far := l.split(q.Where)
	if i := rarest(far); i >= 0 {
		return l.search(r, near, far, i, order, q.Page), r
	}
	near = append(near, far...)
	tail := fmt.Sprintf("%s r%s WHERE r.school_id = $1 AND %s ORDER BY %s LIMIT %d",
		l.table, joins(r.sorted), r.where(near), order, q.Page.Limit()+1)
	switch {
	case q.Page.Offset() > 0:
		key := strings.Join(r.key, ", ")
		return fmt.Sprintf("SELECT %s FROM (SELECT %s FROM %s OFFSET %s) page JOIN %s r ON r.school_id = $1 AND %s%s ORDER BY %s",
			l.columns, key, tail, r.bind(q.Page.Offset()), l.table, match(r.key, "page"), joins(l.others), order), r
	case len(l.others) > 0:
		return fmt.Sprintf("SELECT %s FROM (SELECT r.* FROM %s) r%s ORDER BY %s", l.columns, tail, joins(l.others), order), r
	}
	return "SELECT " + l.columns + " FROM " + tail, r
}

func (l listing[R, T]) keys() []string {
	if l.key == nil {
		return []string{"r.id"}
	}
	return l.key
}

// match compares columns of r with those of the same names in another table.
func match(key []string, table string) string {
	texts := make([]string, len(key))
	for i, k := range key {
		texts[i] = k + " = " + table + strings.TrimPrefix(k, "r")
	}
	return strings.Join(texts, " AND ")
}

// one returns the row id as lists show it.
func (l listing[R, T]) one(ctx context.Context, c *session, id any) (T, error) {
	var row R
	text := "SELECT " + l.columns + " FROM " + l.table + " r" + joins(l.others) + " WHERE r.school_id = $1 AND r.id = $2"
	if err := c.get(ctx, &row, text, c.school, id); err != nil {
		var none T
		return none, missing(err)
	}
	return l.convert(row)
}
