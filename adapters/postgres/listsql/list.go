package listsql

import (
	"context"
	"fmt"
	"strings"

	"github.com/jmoiron/sqlx"
	"lyceum/domain/query"
)

// A List reads records T, which it converts from rows R.
type List[R, T any] struct {
	definition Definition
	one        string // statement that selects the row with the ID $2
	convert    func(R) (T, error)
}

// New returns the list with the given definition. R must have a field for each column in d.Columns.
func New[R, T any](d Definition, convert func(R) (T, error)) *List[R, T] {
	if d.Removal.From != "" {
		d.visible = d.withoutRemoved()
	}
	d.narrow = d.withoutProperties()
	return &List[R, T]{d, d.shown(true).selectOne(), convert}
}

// A Definition declares the statements of a list that is read from one table. Statements use the
// alias r for the table. All names in a statement come from the Definition, and never from a
// request. Definition has no type parameters, so that the compiler does not generate its methods
// again for each list.
type Definition struct {
	Table      string
	Only       string            // a condition on r that holds for all rows of the list; empty: none
	Columns    string            // the select list; the row type of the List has a field for each column
	Defined    string            // the part of Columns that is the names of the defined properties; empty: rows have no properties
	Calls      *strings.Replacer // replaces subqueries by calls of functions where a statement is planned each time; nil: nothing
	Key        []string          // the columns of r that identify a row; ties are ordered by them; nil: r.id
	ShownJoins []*Join           // the tables other than r that Columns refers to
	Joins      []*Join           // the tables other than r that Attrs refers to
	Attrs      map[string]Column // columns of the attributes, by Attr.Source
	Sort       []query.Order     // the order of a query without a sort
	Seek       Seeker            // finds the row before a page of the whole list in the default order; nil: rows are counted
	Removal    Removal           // hides records of courses that are being removed
	condition  string            // a condition on r that begins with AND; it holds for all rows of the list
	visible    *Definition       // the list without the records of courses in removal; nil: no record belongs to a course
	narrow     *Definition       // the list without properties
}

// A Column is the SQL of an attribute.
type Column struct {
	Expr string // value of the attribute
	Fold string // text.Fold of Expr, with COLLATE "C"; only for a text
	From string // FROM item and WHERE clause of the members of a set; Expr is their column; only for a set
	// parts contains the UUIDs of a token, which Expr joins by colons. Tokens are compared and
	// ordered by their parts, because only the parts are indexed.
	parts []string
	// cases maps each possible value of Expr, which is a text, to its condition.
	cases     map[string]string
	ratio     *ratio // the two numbers of which the text Expr consists; nil: none
	scaledInt *Units // the integer from which the fraction Expr is computed; nil: none
	via       *Join  // the table of Expr and Fold; nil: r
}

// TextColumn returns the column of a text of r. The fold of the text is in the column with the
// suffix _fold.
func TextColumn(name string) Column {
	return Column{Expr: "r." + name, Fold: "r." + name + "_fold"}
}

// SetColumn returns the column of a set. The set of a row r contains the column member of those
// rows of table whose column owner is the ID of r. The table has the alias k.
func SetColumn(member, table, owner string) Column {
	return Column{
		Expr: "k." + member,
		From: table + " k WHERE k.school_id = r.school_id AND k." + owner + " = r.id",
	}
}

// PlainText returns the column for a text or an expression that equals its fold.
func PlainText(expr string) Column {
	return Column{Expr: expr, Fold: "(" + expr + ` COLLATE "C")`}
}

// Joined returns the column of a token: the UUIDs in the columns parts, joined by colons.
func Joined(parts []string) Column {
	return Column{Expr: `((` + strings.Join(parts, "::text || ':' || ") + `::text) COLLATE "C")`, parts: parts}
}

// Page returns the page that q selects.
func (l *List[R, T]) Page(ctx context.Context, c Querier, q query.Query) (query.Result[T], error) {
	var found rowsOf[R]
	more, total, err := l.definition.readPage(ctx, c, q, &found)
	if err != nil {
		return query.Result[T]{}, err
	}
	items := make([]T, min(len(found.rows), q.Page.Limit()))
	for i := range items {
		if items[i], err = l.convert(found.rows[i]); err != nil {
			return query.Result[T]{}, fmt.Errorf("postgres: read from %s: %w", l.definition.Table, err)
		}
	}
	return query.Result[T]{Items: items, More: more, Total: total}, nil
}

// SQL returns the result of Definition.SQL.
func (l *List[R, T]) SQL(q query.Query, school any, keys ...string) Statement {
	return l.definition.SQL(q, school, keys...)
}

// readPage reads the rows of the page of q into the given rows. It may add one row after them,
// which does not belong to the page. more reports whether rows follow the page. total is the number
// of rows that satisfy the condition of q; it is 0 unless q.Count is true.
func (l *Definition) readPage(ctx context.Context, c Querier, q query.Query, into rows) (more bool, total int64, err error) {
	if q.Cursor == nil && q.Page.Offset() >= maxOffset && !q.Count {
		return false, 0, ctx.Err()
	}
	if q.WithoutProperties {
		l = l.narrow
	}
	// Seekers are not used in the caller's transaction, because they may change its settings.
	seekable := !c.InTx()
	if !l.asksForRemovals(q) {
		return l.shown(true).page(ctx, c, q, seekable, into)
	}
	if done, more, err := l.pageUnlessRemoving(ctx, c, q, into); done || err != nil {
		return more, 0, err
	}
	// A snapshot is needed because a removal can begin at any time, and deletes records soon after
	// it has hidden them.
	err = c.Snapshot(ctx, func(still Querier) error {
		removing, err := l.removing(ctx, still)
		if err == nil {
			more, total, err = l.shown(removing).page(ctx, still, q, seekable, into)
		}
		return err
	})
	return more, total, err
}

// page does the work of readPage for a list whose hidden records are known. It uses a Seeker only
// if seekable is true.
func (l *Definition) page(
	ctx context.Context, c Querier, q query.Query, seekable bool, into rows,
) (more bool, total int64, err error) {
	if q.Count {
		if total, err = l.count(ctx, c, q.Where); err != nil {
			return false, 0, err
		}
		if q.Cursor == nil && q.Page.Offset() >= maxOffset {
			return false, total, nil
		}
	}
	d := l.newPageQuery(q, c.School())
	if seekable && q.Cursor == nil {
		d.seek = l.seekerFor(d)
	}
	if err := l.read(ctx, c, d, nil, into); err != nil {
		return false, 0, err
	}
	more = into.len() > q.Page.Limit()
	if q.Cursor != nil && q.Cursor.Backward {
		into.reverse(q.Page.Limit())
		more, err = l.hasMore(ctx, c, q)
	}
	return more, total, err
}

// hasMore reports whether a row follows the page of q, whose cursor is backward.
func (l *Definition) hasMore(ctx context.Context, c Querier, q query.Query) (bool, error) {
	next := q.Cursor.Opposite()
	q.Cursor, q.Page = &next, query.NewPage(1, 1)
	text, r := l.statement(l.newPageQuery(q, c.School()))
	if r.err != nil {
		return false, r.err
	}
	more := false
	err := c.EachRow(ctx, r.customPlan, text, r.args, func(found *sqlx.Rows) error {
		more = found.Next()
		return found.Err()
	})
	return more, err
}

// read reads the rows of a page, and one additional row if more rows follow. If the cursor is
// backward, the rows are in the opposite order, and the additional row comes before the page.
// removing is as for readRows.
func (l *Definition) read(ctx context.Context, c Querier, d pageQuery, removing *bool, into rows) error {
	if d.seek != nil {
		return l.readAtOffset(ctx, c, d, into)
	}
	text, r := l.statement(d)
	if r.err != nil {
		return r.err
	}
	// A page of the whole list, if no rows before it are counted, is read from an index.
	if d.query.Where == nil && sameSort(d.sort, l.Sort) && (d.start != nil || d.query.Page.Offset() == 0) {
		var err error
		if ctx, err = short(ctx, c); err != nil {
			return err
		}
	}
	return readRows(ctx, c, text, r, d.query.Page.Limit(), removing, into)
}

// A pageQuery is a query whose statement has not been written yet.
type pageQuery struct {
	*builder
	query                         query.Query
	sort                          []query.Order
	keys                          []sortKey // sort keys, in the direction in which rows are read
	ownConditions, joinConditions query.And
	mostSelective                 int    // index in joinConditions of the condition from which a search starts; -1: no search
	start                         *Edge  // edge after which rows are read; nil: rows are counted
	inclusive                     bool   // whether the row of start is read too
	seek                          Seeker // finds start; nil: rows are counted
}

func (l *Definition) newPageQuery(q query.Query, school any) pageQuery {
	d := pageQuery{builder: &builder{attrs: l.Attrs, key: l.keys()}, query: q}
	d.bind(school) // the school is $1 in every statement
	if d.sort = q.Sort; len(d.sort) == 0 {
		d.sort = l.Sort
	}
	d.keys = d.keysOf(d.sort)
	d.ownConditions, d.joinConditions = l.split(q.Where)
	d.mostSelective = mostSelective(d.joinConditions)
	if c := q.Cursor; c != nil && d.err == nil {
		if c.Backward {
			d.keys = reversed(d.keys)
		}
		e := d.edgeOf(*c)
		d.start, d.inclusive = &e, c.Inclusive
	}
	if q.Where != nil && !sameSort(d.sort, l.Sort) {
		d.customPlan = true // if few rows have an ID, sorting them is the best plan
	}
	return d
}

// Statement is the SQL statement that reads a page.
type Statement struct {
	Text   string
	Args   []any
	Varied bool // whether the statement is planned for Args and not once for all values
	err    error
}
