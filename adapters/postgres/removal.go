package postgres

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"lyceum/domain/query"
)

// removal is how a list leaves out what belongs to courses that are being removed.
type removal struct {
	from  string // FROM and WHERE of the statement that selects what is being removed
	rows  string // the condition that holds for all other rows; blank: for all rows
	count string // the column of r that counts such records; blank for none
	less  string // how many of them it counts
}

// visible returns the list of q without what belongs to courses that are being
// removed. The condition has its price where rows are counted by an index alone, and
// where a count decides order or choice: there the database is asked first.
func (l listing[R, T]) visible(ctx context.Context, c querier, q query.Query) (listing[R, T], error) {
	if l.removal.from == "" {
		return l, nil
	}
	if q.Cursor == nil && q.Page.Offset() > 0 || l.goesByCount(q) {
		var removing bool
		if err := c.Get(ctx, &removing, "SELECT EXISTS (SELECT "+l.removal.from+")", c.School()); err != nil || !removing {
			return l, err
		}
	}
	return l.withoutRemoved(), nil
}

// withoutRemoved returns the list without what belongs to courses that are being
// removed.
func (l listing[R, T]) withoutRemoved() listing[R, T] {
	l.seek = nil // it goes by all rows
	if l.removal.rows != "" {
		l.condition = " AND " + l.removal.rows
	}
	if l.removal.count == "" {
		return l
	}
	less := fmt.Sprintf("(%s - CASE WHEN EXISTS (SELECT %s) THEN %s ELSE 0 END)", l.removal.count, l.removal.from, l.removal.less)
	l.columns = strings.ReplaceAll(l.columns, l.removal.count, less)
	l.attrs = maps.Clone(l.attrs)
	for name, a := range l.attrs {
		a.expr = strings.ReplaceAll(a.expr, l.removal.count, less)
		l.attrs[name] = a
	}
	return l
}

// goesByCount reports whether the rows of q, or their order, depend on the count.
func (l listing[R, T]) goesByCount(q query.Query) bool {
	if l.removal.count == "" {
		return false
	}
	for _, o := range q.Sort {
		if l.counts(o.Attr) {
			return true
		}
	}
	return l.chosenByCount(q.Where)
}

func (l listing[R, T]) chosenByCount(e query.Expr) bool {
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

func (l listing[R, T]) counts(a query.Attr) bool {
	return strings.Contains(l.attrs[a.Source].expr, l.removal.count)
}
