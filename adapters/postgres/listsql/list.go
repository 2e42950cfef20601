package listsql

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

// List declares a list of T that is read from rows R of one table. Statements use
// the alias r for the table. All names in a statement come from the declaration,
// never from a request.
type List[R, T any] struct {
	Table      string
	Columns    string            // the select list; each column has the name of a field of R
	Key        []string          // the columns of r that identify a row and order ties; nil: r.id
	ShownJoins []*Join           // the tables, in addition to r, that Columns names
	Joins      []*Join           // the tables, in addition to r, that Attrs name
	Attrs      map[string]Column // by Attr.Source
	Sort       []query.Order     // the order of a query without one
	Seek       Seeker            // finds pages of the whole list in that order; nil: rows are counted
	Convert    func(R) (T, error)
	Removal    Removal // hides records of courses that are being removed
	condition  string  // a condition on r that begins with AND; it holds for all rows of the list
}

// Column is the SQL of an attribute.
type Column struct {
	Expr string // the value
	Fold string // text.Fold of Expr, with COLLATE "C"; only of a text
	From string // the rows of the members of a set, of which Expr is one; only of a set
	// parts are the UUIDs that Expr, a token, joins by colons. Tokens are equal and
	// ordered as their parts are, and only the parts are indexed.
	parts []string
	// cases are the possible values of Expr, a text, with the condition of each.
	cases map[string]string
	ratio *ratio // the two numbers of which Expr, a text, is made; nil for none
	units *Units // the whole number of which Expr is a fraction; nil for none
	via   *Join  // the table of Expr and Fold; nil: r
}

// TextColumn returns the column of a text whose fold is in the column name_fold.
func TextColumn(name string) Column {
	return Column{Expr: "r." + name, Fold: "r." + name + "_fold"}
}

// SetColumn is the set of what is in the column member of the rows of table that
// belong to r, as owner says. The table goes by the alias k.
func SetColumn(member, table, owner string) Column {
	return Column{
		Expr: "k." + member,
		From: table + " k WHERE k.school_id = r.school_id AND k." + owner + " = r.id",
	}
}

// PlainText is a text column, or an expression, that is its own fold.
func PlainText(expr string) Column {
	return Column{Expr: expr, Fold: "(" + expr + ` COLLATE "C")`}
}

// Joined is a token that is made of UUIDs.
func Joined(parts []string) Column {
	return Column{Expr: `((` + strings.Join(parts, "::text || ':' || ") + `::text) COLLATE "C")`, parts: parts}
}

// Page returns the page of q.
func (l List[R, T]) Page(ctx context.Context, c Querier, q query.Query) (query.Result[T], error) {
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
		item, err := l.Convert(rows[i])
		if err != nil {
			return none, fmt.Errorf("postgres: read from %s: %w", l.Table, err)
		}
		items[i] = item
	}
	return query.Result[T]{Items: items, More: more}, nil
}

// hasMore reports whether a row exists after the page of q, which ends at a cursor.
func (l List[R, T]) hasMore(ctx context.Context, c Querier, q query.Query) (bool, error) {
	next := q.Cursor.Opposite()
	q.Cursor, q.Page = &next, query.NewPage(1, 1)
	rows, err := l.rows(ctx, c, l.draft(q, c.School()))
	return len(rows) > 0, err
}

// rows returns the rows of a page, with one more when more follow. The rows of a
// page that ends at a cursor come in the opposite order, and the one more is before
// it.
func (l List[R, T]) rows(ctx context.Context, c Querier, d draft) ([]R, error) {
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
	start     *Edge // after which the rows are read; nil: they are counted
	inclusive bool  // whether the row of start is read too
}

func (l List[R, T]) draft(q query.Query, school any) draft {
	d := draft{rendering: &rendering{attrs: l.Attrs, key: l.keys()}, query: q}
	d.bind(school) // $1, everywhere
	if d.sort = q.Sort; len(d.sort) == 0 {
		d.sort = l.Sort
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
	if q.Where != nil && !sameSort(d.sort, l.Sort) {
		d.varied = true // to sort what an id stands for is best when that is little
	}
	return d
}

// Statement is the statement of a page.
type Statement struct {
	Text   string
	Args   []any
	Varied bool // it is planned for its own values
	err    error
}

// SQL returns the statement of q for a school, so that its plan can be read. With
// keys the page begins after a row that has these sort keys, or ends before it if
// the cursor of q is backward.
func (l List[R, T]) SQL(q query.Query, school any, keys ...string) Statement {
	backward := q.Cursor != nil && q.Cursor.Backward
	if keys != nil {
		q.Cursor = nil
	}
	d := l.draft(q, school)
	if keys != nil {
		if backward {
			d.keys = reversed(d.keys)
		}
		d.start = &Edge{}
		for _, k := range keys {
			*d.start = append(*d.start, k)
		}
	}
	text, r := l.statement(d)
	return Statement{text, r.args, r.varied, r.err}
}

// statement returns the statement of a draft. It asks for one row more than the
// page holds. Of a counted page after the first, an inner query, which can be
// served by an index alone, finds the ids, and the rest is read for these only; in
// the same way other tables are looked at for the rows of the page alone.
func (l List[R, T]) statement(d draft) (string, *rendering) {
	if d.rarest >= 0 {
		return l.search(d)
	}
	order, page, r := orderBy(d.keys), d.query.Page, d.rendering
	where := r.where(append(slices.Clip(d.near), d.far...))
	from := fmt.Sprintf("%s r%s WHERE %s AND %s", l.Table, joins(r.sorted), l.own(), where)
	end := fmt.Sprintf(" ORDER BY %s LIMIT %d", order, page.Limit()+1)
	switch {
	case d.start != nil:
		return fmt.Sprintf("SELECT %s FROM (%s) r%s ORDER BY %s",
			l.Columns, ranges(r.after(d.keys, *d.start, d.inclusive), from, end, joins(r.sorted)), l.beside(r), order), r
	case page.Offset() > 0:
		key := strings.Join(r.key, ", ")
		return fmt.Sprintf(`SELECT %s FROM (SELECT %s FROM %s ORDER BY %s LIMIT %d OFFSET %s) page
			JOIN %s r ON r.school_id = $1 AND %s%s ORDER BY %[4]s`,
			l.Columns, key, from, order, page.Limit()+1, r.bind(page.Offset()), l.Table, match(r.key, "page"), l.beside(r)), r
	case len(l.ShownJoins) > 0:
		return fmt.Sprintf("SELECT %s FROM (SELECT r.* FROM %s%s) r%s ORDER BY %s", l.Columns, from, end, l.beside(r), order), r
	}
	return "SELECT " + l.Columns + " FROM " + from + end, r
}

// beside puts the tables beside the rows of a page that columns and the order name.
func (l List[R, T]) beside(r *rendering) string { return joins(union(l.ShownJoins, r.sorted)) }

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

func (l List[R, T]) keys() []string {
	if l.Key == nil {
		return []string{"r.id"}
	}
	return l.Key
}

// own is the condition for the rows of the list.
func (l List[R, T]) own() string { return "r.school_id = $1" + l.condition }

// match compares columns of r with those of the same names in another table.
func match(key []string, table string) string {
	texts := make([]string, len(key))
	for i, k := range key {
		texts[i] = k + " = " + table + strings.TrimPrefix(k, "r")
	}
	return strings.Join(texts, " AND ")
}

// One returns the row id as lists show it.
func (l List[R, T]) One(ctx context.Context, c Querier, id any) (T, error) {
	var row R
	l = l.withoutRemoved()
	text := "SELECT " + l.Columns + " FROM " + l.Table + " r" + joins(l.ShownJoins) + " WHERE " + l.own() + " AND r.id = $2"
	if err := c.GetRow(ctx, &row, text, c.School(), id); err != nil {
		var none T
		return none, notFound(err)
	}
	return l.Convert(row)
}

// notFound returns a NotFound fault for an error that wraps sql.ErrNoRows, else err.
func notFound(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fault.Missing()
	}
	return err
}
