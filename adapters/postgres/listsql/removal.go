package listsql

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"lyceum/domain/query"
)

// Removal describes how a list hides the records of courses in removal.
type Removal struct {
	From  string // FROM and WHERE of the statement that selects the courses in removal
	Rows  string // condition for the rows that are shown; empty: all rows
	Count string // expression that counts records of courses; empty: none
	Less  string // SQL expression for the number of records of courses in removal that Count includes
}

// asksForRemovals reports whether readPage first checks whether there are courses in removal, so
// that a list without them needs no condition. The condition is expensive if the query counts rows
// by an index only, or if its order or filter depends on a count.
func (l *Definition) asksForRemovals(q query.Query) bool {
	return l.Removal.From != "" && (q.Cursor == nil && q.Page.Offset() > 0 || l.goesByCount(q))
}

// pageUnlessRemoving reads the page of q with one statement, if that is possible. Each row of the
// statement contains whether there are courses in removal. done is false if the page must be read
// in a snapshot: because there are such courses, because the page takes several statements, or
// because it has no row. A page without rows cannot report a removal, but might have rows without
// the records in removal: counts are smaller then, and the join with a hidden course drops rows of
// the page after they were selected.
func (l *Definition) pageUnlessRemoving(
	ctx context.Context, c Querier, q query.Query, into rows,
) (done, more bool, err error) {
	if q.Count || q.Cursor != nil && q.Cursor.Backward {
		return false, false, nil
	}
	l = l.reporting()
	d := l.newPageQuery(q, c.School())
	if q.Cursor == nil && !c.InTx() && l.seekerFor(d) != nil {
		return false, false, nil
	}
	removing := false
	if err := l.read(ctx, c, d, &removing, into); err != nil {
		return false, false, err
	}
	return !removing && into.len() > 0, into.len() > q.Page.Limit(), nil
}

// reporting returns l with a last column: whether the school has courses in removal.
func (l *Definition) reporting() *Definition {
	r := *l
	r.Columns += ", EXISTS (SELECT " + l.Removal.From + ") AS removing"
	return &r
}

// removing reports whether the school has courses in removal.
func (l *Definition) removing(ctx context.Context, c Querier) (removing bool, err error) {
	err = c.GetRow(ctx, &removing, "SELECT EXISTS (SELECT "+l.Removal.From+")", c.School())
	return removing, err
}

// shown returns l or, if removing is true, l without the records of courses in removal.
func (l *Definition) shown(removing bool) *Definition {
	if !removing || l.visible == nil {
		return l
	}
	return l.visible
}

// withoutRemoved returns l without the records of courses in removal.
func (l *Definition) withoutRemoved() *Definition {
	visible := *l
	l = &visible
	l.Seek = nil // a Seeker counts hidden rows too
	if l.Removal.Rows != "" {
		l.condition = " AND " + l.Removal.Rows
	}
	if l.Removal.Count == "" {
		return l
	}
	less := fmt.Sprintf("(%s - CASE WHEN EXISTS (SELECT %s) THEN %s ELSE 0 END)", l.Removal.Count, l.Removal.From, l.Removal.Less)
	l.Columns = strings.ReplaceAll(l.Columns, l.Removal.Count, less)
	l.Attrs = maps.Clone(l.Attrs)
	for name, a := range l.Attrs {
		a.Expr = strings.ReplaceAll(a.Expr, l.Removal.Count, less)
		l.Attrs[name] = a
	}
	return l
}

// goesByCount reports whether the filter or the order of q uses an attribute that contains
// Removal.Count.
func (l *Definition) goesByCount(q query.Query) bool {
	if l.Removal.Count == "" {
		return false
	}
	for _, o := range q.Sort {
		if l.counts(o.Attr) {
			return true
		}
	}
	return l.chosenByCount(q.Where)
}

// chosenByCount reports whether e contains a condition on an attribute that contains Removal.Count.
func (l *Definition) chosenByCount(e query.Expr) bool {
	var parts []query.Expr
	switch e := e.(type) {
	case query.And:
		parts = e
	case query.Or:
		parts = e
	case query.Cond:
		return l.counts(e.Attr)
	}
	for _, part := range parts {
		if l.chosenByCount(part) {
			return true
		}
	}
	return false
}

// counts reports whether the expression of a contains Removal.Count.
func (l *Definition) counts(a query.Attr) bool {
	return strings.Contains(l.Attrs[a.Source].Expr, l.Removal.Count)
}
