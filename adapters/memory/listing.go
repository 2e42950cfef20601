package memory

import (
	"slices"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// listing is how rows R are listed as records of T.
type listing[R comparable, T any] struct {
	schema query.Schema[T]
	rows   index[R] // in the schema's default order
	show   func(R) *query.Record[T]
	// byID is all rows in the order of their ids, nil when they are not kept in it.
	byID *sequence[R]
	// find has, by the source of an attribute, how to get the only row that may
	// have a value.
	find map[string]finder[R]
}

// finder returns the only row whose attribute a may equal v.
type finder[R any] func(a query.Attr, v query.Value) (R, bool)

// record shows rows that are kept bare.
func record[R, T any](schema query.Schema[T], dress func(R) T) func(R) *query.Record[T] {
	return func(r R) *query.Record[T] { return schema.Glance(dress(r)) }
}

// span returns the smallest span that holds all rows that satisfy where, and
// whether all of its rows do.
func (l listing[R, T]) span(where query.Expr) (s span[R], exact bool) {
	s = l.rows.whole()
	conds := necessary(where)
	var (
		attr string
		id   uuid.UUID
	)
	for _, c := range conds {
		if !l.names(c) {
			continue
		}
		if part := l.rows.within(c.Attr.Source, c.Values[0].ID); attr == "" || part.length() < s.length() {
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
func (l listing[R, T]) names(c query.Cond) bool {
	return c.Op == query.Eq && len(c.Values) == 1 && l.rows.section(c.Attr.Source) >= 0
}

// bounds tells whether c holds for the rows behind some place in the default
// order, or before it, and no others: whether it is a bound on the attribute by
// which they are ordered first.
func (l listing[R, T]) bounds(c query.Cond) bool {
	lead := l.schema.Default()[0].Attr
	return c.Op >= query.Lt && c.Op <= query.Gteq && !lead.Nullable &&
		sameOrder(query.Order{Attr: c.Attr}, query.Order{Attr: lead})
}

// cut leaves off the rows of s for which c, which bounds them, does not hold.
func (l listing[R, T]) cut(s span[R], c query.Cond) span[R] {
	holds := l.schema.Compile(c)
	lower := c.Op == query.Gt || c.Op == query.Gteq
	if lower != l.schema.Default()[0].Desc {
		s.begin = s.rank(func(r R) bool { return holds(l.show(r)) })
	} else {
		s.end = s.rank(func(r R) bool { return !holds(l.show(r)) })
	}
	return s
}

// walk returns the rows of s in the order of sort, nil when no tree has that
// order.
func (l listing[R, T]) walk(s span[R], sort []query.Order) *sequence[R] {
	if i := slices.IndexFunc(sort, identifies); i >= 0 {
		sort = sort[:i] // no two rows are equal up to here, and ties go by uuid anyway
	}
	switch {
	case len(sort) == 0 && s.length() == l.rows.all.Len():
		return l.byID
	case slices.EqualFunc(sort, l.schema.Default(), sameOrder):
		return s.ordered()
	}
	return nil
}

func identifies(o query.Order) bool { return o.Attr.Source == "uuid" && !o.Desc }

func sameOrder(a, b query.Order) bool {
	return a.Attr.Source == b.Attr.Source && a.Desc == b.Desc &&
		a.Attr.Prefix == b.Attr.Prefix && a.Attr.Suffix == b.Attr.Suffix
}
