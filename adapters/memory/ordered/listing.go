package ordered

import (
	"slices"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// Listing answers list queries: it keeps rows R and shows them as records of T.
type Listing[R comparable, T any] struct {
	Schema query.Schema[T]
	Rows   Index[R] // in the schema's default order
	Show   func(R) *query.Record[T]
	// ByID is all rows in the order of their ids; nil if there is no such order.
	ByID *sequence[R]
	// Find has the finders of attributes, by their sources.
	Find map[string]Finder[R]
}

// Finder returns the only row whose attribute a may equal v.
type Finder[R any] func(a query.Attr, v query.Value) (R, bool)

// Derive returns the function that shows a row as the record that derive makes of it.
func Derive[R, T any](schema query.Schema[T], derive func(R) T) func(R) *query.Record[T] {
	return func(r R) *query.Record[T] { return schema.Glance(derive(r)) }
}

// span returns the smallest span with all rows that satisfy where, and whether all
// of its rows do.
func (l Listing[R, T]) span(where query.Expr) (s Span[R], exact bool) {
	s = l.Rows.Whole()
	conds := necessary(where)
	var (
		attr string
		id   uuid.UUID
	)
	for _, c := range conds {
		if !l.names(c) {
			continue
		}
		if part := l.Rows.Within(c.Attr.Source, c.Values[0].ID); attr == "" || part.Length() < s.Length() {
			s, attr, id = part, c.Attr.Source, c.Values[0].ID
		}
	}
	for _, c := range conds {
		if l.bounds(c) {
			s = l.cut(s, c)
		}
	}
	return s, consists(where, func(c query.Cond) bool {
		return l.bounds(c) || l.names(c) && c.Attr.Source == attr && c.Values[0].ID == id
	})
}

// names tells whether c holds for the rows of one section and no others.
func (l Listing[R, T]) names(c query.Cond) bool {
	return c.Op == query.Eq && len(c.Values) == 1 && l.Rows.section(c.Attr.Source) >= 0
}

// bounds tells whether c holds for exactly the rows after, or before, some rank in
// the default order: whether it bounds the first attribute of that order.
func (l Listing[R, T]) bounds(c query.Cond) bool {
	lead := l.Schema.Default()[0].Attr
	return c.Op >= query.Lt && c.Op <= query.Gteq && !lead.Nullable &&
		sameOrder(query.Order{Attr: c.Attr}, query.Order{Attr: lead})
}

// cut removes the rows of s for which c, which bounds them, does not hold.
func (l Listing[R, T]) cut(s Span[R], c query.Cond) Span[R] {
	holds := l.Schema.Compile(c)
	lower := c.Op == query.Gt || c.Op == query.Gteq
	if lower != l.Schema.Default()[0].Desc {
		s.begin = s.rank(func(r R) bool { return holds(l.Show(r)) })
	} else {
		s.end = s.rank(func(r R) bool { return !holds(l.Show(r)) })
	}
	return s
}

// walk returns the rows of s in the order of sort, nil if no tree has that order.
func (l Listing[R, T]) walk(s Span[R], sort []query.Order) *sequence[R] {
	if i := slices.IndexFunc(sort, identifies); i >= 0 {
		sort = sort[:i] // no two rows are equal up to here, and ties go by uuid anyway
	}
	switch {
	case len(sort) == 0 && s.Length() == l.Rows.All.Len():
		return l.ByID
	case slices.EqualFunc(sort, l.Schema.Default(), sameOrder):
		return s.Ordered()
	}
	return nil
}

func identifies(o query.Order) bool { return o.Attr.Source == "uuid" && !o.Desc }

func sameOrder(a, b query.Order) bool {
	return a.Attr.Source == b.Attr.Source && a.Desc == b.Desc &&
		a.Attr.Prefix == b.Attr.Prefix && a.Attr.Suffix == b.Attr.Suffix
}
