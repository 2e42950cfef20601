package listsql

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"lyceum/domain/query"
)

// Removal is how a list leaves out what belongs to courses that are being removed.
type Removal struct {
	From  string // FROM and WHERE of the statement that selects what is being removed
	Rows  string // the condition that holds for all other rows; blank: for all rows
	Count string // the column of r that counts such records; blank for none
	Less  string // how many of them it counts
}

// visible returns the list of q without what belongs to courses that are being
// removed. The condition has its price where rows are counted by an index alone, and
// where a count decides order or choice: there the database is asked first.
func (l List[R, T]) visible(ctx context.Context, c Querier, q query.Query) (List[R, T], error) {
	if l.Removal.From == "" {
		return l, nil
	}
	if q.Cursor == nil && q.Page.Offset() > 0 || l.goesByCount(q) {
		var removing bool
		if err := c.GetRow(ctx, &removing, "SELECT EXISTS (SELECT "+l.Removal.From+")", c.School()); err != nil || !removing {
			return l, err
		}
	}
	return l.withoutRemoved(), nil
}

// withoutRemoved returns the list without what belongs to courses that are being
// removed.
func (l List[R, T]) withoutRemoved() List[R, T] {
	l.Seek = nil // it goes by all rows
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

// goesByCount reports whether the rows of q, or their order, depend on the count.
func (l List[R, T]) goesByCount(q query.Query) bool {
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

func (l List[R, T]) chosenByCount(e query.Expr) bool {
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

func (l List[R, T]) counts(a query.Attr) bool {
	return strings.Contains(l.Attrs[a.Source].Expr, l.Removal.Count)
}
