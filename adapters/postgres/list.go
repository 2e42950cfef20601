package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// listing is how the rows R of one table become a list of T: the compilation of
// query.Query to SQL. The table goes by the alias r, and its columns come from
// this declaration alone, never from a request.
type listing[R, T any] struct {
	table   string
	columns string            // of the select list, each named as R wants it
	key     []string          // the columns of r that tell rows apart and decide ties; the id unless named
	shown   []*other          // the tables, beside r, that columns names
	others  []*other          // the tables, beside r, that attrs name
	attrs   map[string]column // by Attr.Source
	sort    []query.Order     // of a query that names none
	seek    seeker            // of the whole list in that order; nil for none
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
	// cases are the values that expr, a text, can have, with what each means.
	cases map[string]string
	ratio *ratio // of which expr, a text, is made; nil for none
	units *units // of which expr is a number; nil for none
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

// joined is a token that is made of UUIDs.
func joined(parts []string) column {
	return column{expr: `((` + strings.Join(parts, "::text || ':' || ") + `::text) COLLATE "C")`, parts: parts}
}

// page returns the page of q. It begins where the page before it ended for the
// reader of q, if that is remembered, and remembers where it ends. What a
// transaction sees is its own affair.
func (l listing[R, T]) page(ctx context.Context, c *session, q query.Query) (query.Result[T], error) {
	var none query.Result[T]
	if q.Page.Offset() >= beyond {
		return query.Result[T]{Items: []T{}}, ctx.Err()
	}
	follow := c.tx == nil && q.Reader != uuid.Nil
	d := l.draft(q, c.school)
	identity := sync.OnceValue(func() queryID { return d.identity(q.Reader) })
	var began *bookmark
	if follow && q.Page.Offset() > 0 {
		at := spot{identity(), q.Page.Offset()}
		began = c.store.marks.take(at)
		if began == nil && at.offset >= c.store.deep && d.rarest < 0 { // a search has its own way
			d.lead, d.nearest = true, c.store.marks.nearest(at)
		}
	}
	rows, before, end, err := l.rows(ctx, c, d, began, follow)
	if err != nil {
		return none, err
	}
	if before != nil && len(rows) > 0 {
		began = c.store.marks.put(spot{identity(), q.Page.Offset()}, before, nil)
	}
	more := len(rows) > q.Page.Limit()
	if more {
		rows = rows[:q.Page.Limit()]
	}
	if follow && len(rows) > 0 && (more || q.Page.Number() > 1) {
		c.store.marks.put(spot{identity(), q.Page.Offset() + int64(q.Page.Limit())}, end, began)
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

// rows returns the rows of a page, with one more when more follow, and where the
// page begins, if the draft wants to know, and ends.
func (l listing[R, T]) rows(
	ctx context.Context, c *session, d draft, began *bookmark, follow bool,
) (rows []R, before, end ending, err error) {
	if began == nil && c.tx == nil {
		if seek := l.seekerOf(d); seek != nil {
			rows, end, err = l.farPage(ctx, c, d, seek, follow)
			return rows, nil, end, err
		}
	}
	text, r := l.statement(d, began, follow)
	if r.err != nil {
		return nil, nil, nil, r.err
	}
	return readPage[R](ctx, c, text, r, d.query.Page.Limit(), d.lead)
}

// draft is a query whose place is not known yet.
type draft struct {
	*rendering
	query     query.Query
	sort      []query.Order
	keys      []sortKey
	near, far query.And
	rarest    int    // of far, the one to start a search from; -1 for no search
	where     string // of all conditions, as it stands where no search is
	values    int    // how many of the args the conditions name
	// lead wants the row before a page that is counted, and nearest is where
	// counting begins; nil: at the first row.
	lead    bool
	nearest *bookmark
	table   string
}

func (l listing[R, T]) draft(q query.Query, school any) draft {
	d := draft{rendering: &rendering{attrs: l.attrs, key: l.keys()}, query: q, table: l.table}
	d.bind(school) // $1, everywhere
	if d.sort = q.Sort; len(d.sort) == 0 {
		d.sort = l.sort
	}
	d.keys = d.keysOf(d.sort)
	d.near, d.far = l.split(q.Where)
	d.rarest = rarest(d.far)
	d.where = d.rendering.where(append(slices.Clip(d.near), d.far...))
	d.values = len(d.args)
	if q.Where != nil && !sameSort(d.sort, l.sort) {
		d.varied = true // to sort what an id stands for is best when that is little
	}
	return d
}

// render returns the statement of q for a school, of a page that begins at a
// place unless that is nil.
func (l listing[R, T]) render(q query.Query, school any, began *bookmark) (string, *rendering) {
	return l.statement(l.draft(q, school), began, false)
}

// statement returns the statement of a draft. It asks for one row more than the
// page holds and, for who follows, for the sort keys of each row. Without a
// place, behind the first page, an inner query, which can be served by an index
// alone, finds the ids, and the rest is read for these only; likewise other
// tables are looked at for the rows of the page alone.
func (l listing[R, T]) statement(d draft, began *bookmark, follow bool) (string, *rendering) {
	if d.rarest >= 0 {
		return l.search(d, began, follow)
	}
	order, columns, page := orderBy(d.keys), l.columns, d.query.Page
	if follow {
		columns += shown(d.keys)
	}
	r := d.rendering
	from := fmt.Sprintf("%s r%s WHERE r.school_id = $1 AND %s", l.table, joins(r.sorted), d.where)
	end := fmt.Sprintf(" ORDER BY %s LIMIT %d", order, page.Limit()+1)
	if began != nil {
		return fmt.Sprintf("SELECT %s FROM (%s) r%s ORDER BY %s",
			columns, ranges(r.behind(d.keys, began.end), from, end, joins(r.sorted)), l.beside(r), order), r
	}
	switch {
	case page.Offset() > 0:
		key, skip, most := strings.Join(r.key, ", "), page.Offset(), page.Limit()+1
		if d.nearest != nil {
			from += " AND " + r.behind(d.keys, d.nearest.end).condition()
			skip -= d.nearest.spot.offset
		}
		if d.lead {
			skip, most = skip-1, most+1
		}
		return fmt.Sprintf(`SELECT %s FROM (SELECT %s FROM %s ORDER BY %s LIMIT %d OFFSET %s) page
			JOIN %s r ON r.school_id = $1 AND %s%s ORDER BY %[4]s`,
			columns, key, from, order, most, r.bind(skip), l.table, match(r.key, "page"), l.beside(r)), r
	case len(l.shown) > 0:
		return fmt.Sprintf("SELECT %s FROM (SELECT r.* FROM %s%s) r%s ORDER BY %s", columns, from, end, l.beside(r), order), r
	}
	return "SELECT " + columns + " FROM " + from + end, r
}

// beside puts the tables beside the rows of a page that columns and the order name.
func (l listing[R, T]) beside(r *rendering) string { return joins(union(l.shown, r.sorted)) }

// ranges returns the statement of the first rows of b, each range of which is
// read from its beginning.
func ranges(b behind, from, end, sorted string) string {
	texts := make([]string, len(b.ranges))
	for i, condition := range b.ranges {
		texts[i] = "SELECT r.* FROM " + from + " AND " + condition + end
	}
	switch len(texts) {
	case 0:
		return "SELECT r.* FROM " + from + " AND false"
	case 1:
		return texts[0]
	}
	return "SELECT r.* FROM ((" + strings.Join(texts, ") UNION ALL (") + ")) r" + sorted + end
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
	text := "SELECT " + l.columns + " FROM " + l.table + " r" + joins(l.shown) + " WHERE r.school_id = $1 AND r.id = $2"
	if err := c.get(ctx, &row, text, c.school, id); err != nil {
		var none T
		return none, missing(err)
	}
	return l.convert(row)
}
