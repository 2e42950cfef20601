package ordered

import (
	"slices"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// Listing executes list queries over rows R and returns results T.
type Listing[R comparable, T any] struct {
	Schema query.Schema[T]
	Rows   Index[R]                 // in the default order of Schema
	Show   func(R) *query.Record[T] // returns the record of a row
	// ByID contains all rows in the order of their ids; nil if the rows have no such order.
	ByID *sequence[R]
	// Find contains a finder for each unique attribute, by Attr.Source.
	Find map[string]Finder[R]
}

// Finder looks up a row by its unique attribute a. It returns the only row that can have the value
// v, and reports whether there is one. The caller must still compare the value.
type Finder[R any] func(a query.Attr, v query.Value) (R, bool)

// Derive returns a Listing.Show that computes the record of a row with derive.
func Derive[R, T any](schema query.Schema[T], derive func(R) T) func(R) *query.Record[T] {
	return func(r R) *query.Record[T] { return schema.LazyRecord(derive(r)) }
}

// span returns the smallest span that contains all rows that satisfy where. exact reports
// whether all rows of the span satisfy where.
func (l *Listing[R, T]) span(where query.Expr) (s Span[R], exact bool) {
	s = l.Rows.Whole()
	conds := impliedConditions(where)
	var (
		attr string
		id   uuid.UUID
	)
	for _, c := range conds {
		if !l.selectsSection(c) {
			continue
		}
		if part := l.Rows.Within(c.Attr.Source, c.Values[0].ID); attr == "" || part.Length() < s.Length() {
			s, attr, id = part, c.Attr.Source, c.Values[0].ID
		}
	}
	for _, c := range conds {
		if l.bounds(c) {
			s = l.restrict(s, c)
		}
	}
	return s, isConjunction(where, func(c query.Cond) bool {
		return l.bounds(c) || l.selectsSection(c) && c.Attr.Source == attr && c.Values[0].ID == id
	})
}

// selectsSection reports whether c is true for exactly the rows of one section.
func (l *Listing[R, T]) selectsSection(c query.Cond) bool {
	return c.Op == query.Eq && len(c.Values) == 1 && l.Rows.section(c.Attr.Source) >= 0
}

// bounds reports whether c is a less-than or greater-than comparison of the first attribute of the
// default order. Such a condition holds for exactly the rows before or after some rank.
func (l *Listing[R, T]) bounds(c query.Cond) bool {
	lead := l.Schema.Default()[0].Attr
	return c.Op >= query.Lt && c.Op <= query.Gteq && !lead.Nullable &&
		sameOrder(query.Order{Attr: c.Attr}, query.Order{Attr: lead})
}

// restrict returns the rows of s that satisfy c. The caller must have checked that bounds(c) is
// true.
func (l *Listing[R, T]) restrict(s Span[R], c query.Cond) Span[R] {
	holds := l.Schema.Compile(c)
	lower := c.Op == query.Gt || c.Op == query.Gteq
	if lower != l.Schema.Default()[0].Desc {
		s.begin = s.rank(func(r R) bool { return holds(l.Show(r)) })
	} else {
		s.end = s.rank(func(r R) bool { return !holds(l.Show(r)) })
	}
	return s
}

// sequenceOf returns the rows of s in the order of sort, or nil if no tree has that order.
func (l *Listing[R, T]) sequenceOf(s Span[R], sort []query.Order) *sequence[R] {
	if i := slices.IndexFunc(sort, identifies); i >= 0 {
		sort = sort[:i] // the uuid is unique, so later keys have no effect
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
