package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lyceum/domain/fault"
	"lyceum/domain/query"
)

// listing is how the rows R of one table become a list of T: the compilation of
// query.Query to SQL. The table goes by the alias r, and its columns come from
// this declaration alone, never from a request.
type listing[R, T any] struct {
	table     string
	columns   string            // of the select list, each named as R wants it
	key       []string          // the columns of r that tell rows apart and decide ties; the id unless named
	shown     []*other          // the tables, beside r, that columns names
	others    []*other          // the tables, beside r, that attrs name
	attrs     map[string]column // by Attr.Source
	sort      []query.Order     // of a query that names none
	seek      seeker            // of the whole list in that order; nil for none
	convert   func(R) (T, error)
	removal   removal
	condition string // on r, beginning with AND; of all rows of the list
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

// page returns the page of q.
func (l listing[R, T]) page(ctx context.Context, c querier, q query.Query) (query.Result[T], error) {
	var none query.Result[T]
	if q.Cursor == nil && q.Page.Offset() >= beyond {
		return query.Result[T]{Items: []T{}}, ctx.Err()
	}
	l, err := l.visible(ctx, c, q)
	if err != nil {
		return none, err
	}
	rows, err := l.rows(ctx, c, l.draft(q, c.School()))
	if err != nil {
		return none, err
	}
	more := len(rows) > q.Page.Limit()
	if q.Cursor != nil && q.Cursor.Backward {
		rows = rows[:min(len(rows), q.Page.Limit())]
		slices.Reverse(rows)
		if more, err = l.hasMore(ctx, c, q); err != nil {
			return none, err
		}
	}
	items := make([]T, min(len(rows), q.Page.Limit()))
	for i := range items {
		item, err := l.convert(rows[i])
		if err != nil {
			return none, fmt.Errorf("postgres: read from %s: %w", l.table, err)
		}
		items[i] = item
	}
	return query.Result[T]{Items: items, More: more}, nil
}

// hasMore reports whether a row exists after the page of q, which ends at a cursor.
func (l listing[R, T]) hasMore(ctx context.Context, c querier, q query.Query) (bool, error) {
	next := q.Cursor.Opposite()
	q.Cursor, q.Page = &next, query.NewPage(1, 1)
	rows, err := l.rows(ctx, c, l.draft(q, c.School()))
	return len(rows) > 0, err
}

// rows returns the rows of a page, with one more when more follow. The rows of a
// page that ends at a cursor come in the opposite order, and the one more is before
// it.
func (l listing[R, T]) rows(ctx context.Context, c querier, d draft) ([]R, error) {
	if d.query.Cursor == nil && !c.InTx() {
		if seek := l.seekerOf(d); seek != nil {
			return l.farPage(ctx, c, d, seek)
		}
	}
	text, r := l.statement(d)
	if r.err != nil {
		return nil, r.err
	}
	return readPage[R](ctx, c, text, r, d.query.Page.Limit())
}

// draft is a query whose statement is not written yet.
type draft struct {
	*rendering
	query     query.Query
	sort      []query.Order
	keys      []sortKey // in the direction in which rows are read
	near, far query.And
	rarest    int   // of far, the one to start a search from; -1 for no search
	start     *edge // after which the rows are read; nil: they are counted
	inclusive bool  // whether the row of start is read too
}

func (l listing[R, T]) draft(q query.Query, school any) draft {
	d := draft{rendering: &rendering{attrs: l.attrs, key: l.keys()}, query: q}
	d.bind(school) // $1, everywhere
	if d.sort = q.Sort; len(d.sort) == 0 {
		d.sort = l.sort
	}
	d.keys = d.keysOf(d.sort)
	d.near, d.far = l.split(q.Where)
	d.rarest = rarest(d.far)
	if c := q.Cursor; c != nil && d.err == nil {
		if c.Backward {
			d.keys = reversed(d.keys)
		}
		e := d.edgeOf(*c)
		d.start, d.inclusive = &e, c.Inclusive
	}
	if q.Where != nil && !sameSort(d.sort, l.sort) {
		d.varied = true // to sort what an id stands for is best when that is little
	}
	return d
}

// statementOf is the statement of a page.
type statementOf struct {
	text   string
	args   []any
	varied bool // it is planned for its own values
	err    error
}

// sql returns the statement of q for a school, so that its plan can be read. With
// keys the page begins after a row that has these sort keys, or ends before it if
// the cursor of q is backward.
func (l listing[R, T]) sql(q query.Query, school any, keys ...string) statementOf {
	backward := q.Cursor != nil && q.Cursor.Backward
	if keys != nil {
		q.Cursor = nil
	}
	d := l.draft(q, school)
	if keys != nil {
		if backward {
			d.keys = reversed(d.keys)
		}
		d.start = &edge{}
		for _, k := range keys {
			*d.start = append(*d.start, k)
		}
	}
	text, r := l.statement(d)
	return statementOf{text, r.args, r.varied, r.err}
}

// statement returns the statement of a draft. It asks for one row more than the
// page holds. Of a counted page after the first, an inner query, which can be
// served by an index alone, finds the ids, and the rest is read for these only; in
// the same way other tables are looked at for the rows of the page alone.
func (l listing[R, T]) statement(d draft) (string, *rendering) {
	if d.rarest >= 0 {
		return l.search(d)
	}
	order, page, r := orderBy(d.keys), d.query.Page, d.rendering
	where := r.where(append(slices.Clip(d.near), d.far...))
	from := fmt.Sprintf("%s r%s WHERE %s AND %s", l.table, joins(r.sorted), l.own(), where)
	end := fmt.Sprintf(" ORDER BY %s LIMIT %d", order, page.Limit()+1)
	switch {
	case d.start != nil:
		return fmt.Sprintf("SELECT %s FROM (%s) r%s ORDER BY %s",
			l.columns, ranges(r.after(d.keys, *d.start, d.inclusive), from, end, joins(r.sorted)), l.beside(r), order), r
	case page.Offset() > 0:
		key := strings.Join(r.key, ", ")
		return fmt.Sprintf(`SELECT %s FROM (SELECT %s FROM %s ORDER BY %s LIMIT %d OFFSET %s) page
			JOIN %s r ON r.school_id = $1 AND %s%s ORDER BY %[4]s`,
			l.columns, key, from, order, page.Limit()+1, r.bind(page.Offset()), l.table, match(r.key, "page"), l.beside(r)), r
	case len(l.shown) > 0:
		return fmt.Sprintf("SELECT %s FROM (SELECT r.* FROM %s%s) r%s ORDER BY %s", l.columns, from, end, l.beside(r), order), r
	}
	return "SELECT " + l.columns + " FROM " + from + end, r
}

// beside puts the tables beside the rows of a page that columns and the order name.
func (l listing[R, T]) beside(r *rendering) string { return joins(union(l.shown, r.sorted)) }

// ranges returns the statement of the first rows of b, each range of which is
// read from its beginning.
func ranges(b beyondEdge, from, end, sorted string) string {
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

// own is the condition for the rows of the list.
func (l listing[R, T]) own() string { return "r.school_id = $1" + l.condition }

// match compares columns of r with those of the same names in another table.
func match(key []string, table string) string {
	texts := make([]string, len(key))
	for i, k := range key {
		texts[i] = k + " = " + table + strings.TrimPrefix(k, "r")
	}
	return strings.Join(texts, " AND ")
}

// one returns the row id as lists show it.
func (l listing[R, T]) one(ctx context.Context, c querier, id any) (T, error) {
	var row R
	l = l.withoutRemoved()
	text := "SELECT " + l.columns + " FROM " + l.table + " r" + joins(l.shown) + " WHERE " + l.own() + " AND r.id = $2"
	if err := c.Get(ctx, &row, text, c.School(), id); err != nil {
		var none T
		return none, notFound(err)
	}
	return l.convert(row)
}

// notFound returns a NotFound fault for an error that wraps sql.ErrNoRows, else err.
func notFound(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fault.Missing()
	}
	return err
}
