package memory

import (
	"slices"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// span is the rows of a table, or those of one of its sections, as they stand in
// table.sorted.
type span[T any] struct {
	table      *table[T]
	begin, end int  // ranks
	ordered    bool // whether they stand in the schema's default order
}

// span returns the smallest span that holds all rows that satisfy where, and
// whether all of its rows do.
func (t *table[T]) span(where query.Expr) (s span[T], exact bool) {
	if id, ok := t.sectionOf(where); ok {
		_, alone := where.(query.Cond)
		return t.within(id), alone
	}
	return span[T]{t, 0, t.sorted.Len(), t.section == nil}, where == nil
}

// sectionOf returns the section in which all rows are that satisfy where, when a
// necessary condition names one.
func (t *table[T]) sectionOf(where query.Expr) (id uuid.UUID, ok bool) {
	if t.section == nil {
		return uuid.UUID{}, false
	}
	for _, c := range necessary(where) {
		if c.Attr.Source == t.section.attr && c.Op == query.Eq && len(c.Values) == 1 {
			return c.Values[0].ID, true
		}
	}
	return uuid.UUID{}, false
}

// within returns the rows of the section id.
func (t *table[T]) within(id uuid.UUID) span[T] {
	order := func(r *query.Record[T]) int { return compareIDs(t.section.id(&r.Row), id) }
	return span[T]{
		table:   t,
		begin:   rank(t.sorted, func(r *query.Record[T]) bool { return order(r) >= 0 }),
		end:     rank(t.sorted, func(r *query.Record[T]) bool { return order(r) > 0 }),
		ordered: true,
	}
}

func (s span[T]) length() int { return s.end - s.begin }

// from yields the rows without the first skip, which it does not visit either.
func (s span[T]) from(skip int) rows[T] {
	return func(yield func(*query.Record[T]) bool) {
		left := s.length() - skip
		for r := range from(s.table.sorted, s.begin+skip) {
			if left--; left < 0 || !yield(r) {
				return
			}
		}
	}
}

// walk returns how to go along the rows in the order of sort, from any rank; nil
// when no tree has that order.
func (s span[T]) walk(sort []query.Order) func(rank int) rows[T] {
	if i := slices.IndexFunc(sort, identifies); i >= 0 {
		sort = sort[:i] // no two rows are equal up to here, and ties go by uuid anyway
	}
	t := s.table
	switch {
	case len(sort) == 0 && s.length() == t.sorted.Len():
		return t.byID.from
	case s.ordered && slices.EqualFunc(sort, t.schema.Default(), sameOrder):
		return s.from
	}
	return nil
}

func identifies(o query.Order) bool { return o.Attr.Source == "uuid" && !o.Desc }

func sameOrder(a, b query.Order) bool {
	return a.Attr.Source == b.Attr.Source && a.Desc == b.Desc &&
		a.Attr.Prefix == b.Attr.Prefix && a.Attr.Suffix == b.Attr.Suffix
}
