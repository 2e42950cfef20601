package query

import (
	"slices"
	"strings"
)

// Cursor is a position in an ordered list: the first or last row of a page, identified only by its
// sort values, so that the cursor remains valid if the row is changed or deleted. A page starts
// right after the row of its cursor or ends right before it.
type Cursor struct {
	// Keys contains the keys of the list's sort and the uuid, and Values the row's value for each
	// key. For a Text only Fold is set, for a time only From.
	Keys   []Order
	Values []Value
	// Backward reports whether the page ends at the row. Otherwise the page starts at the row.
	Backward bool
	// Inclusive reports whether the page includes the row itself, if the row still exists.
	Inclusive bool
}

// Opposite returns the cursor at the same row in the other direction. It selects exactly the rows
// that c excludes.
func (c Cursor) Opposite() Cursor {
	c.Backward, c.Inclusive = !c.Backward, !c.Inclusive
	return c
}

// Edge returns the cursor at row in a list sorted by sort. Its page starts after the row or, if
// backward, ends before it.
func (s Schema[T]) Edge(sort []Order, row T, backward bool) Cursor {
	return s.attributes.edge(sort, s.LazyRecord(row).Entry(), backward)
}

func (s *Attributes) edge(sort []Order, e Entry, backward bool) Cursor {
	c := Cursor{Backward: backward, Keys: s.edgeKeys(sort)}
	for _, o := range c.Keys {
		col := s.column(o.Attr)
		v := col.get(e.row)
		switch {
		case v.Null:
			v = Value{Null: true}
		case o.Attr.Kind == Text:
			v = Value{Fold: col.fold(e)}
		}
		c.Values = append(c.Values, v)
	}
	return c
}

// Position returns a function that compares a record with the row of c. The result is negative if
// the record is before the row, zero if it is the row, and positive if it is after the row.
func (s Schema[T]) Position(c Cursor) func(*Record[T]) int {
	position := s.attributes.position(c)
	return func(r *Record[T]) int { return position(r.Entry()) }
}

func (s *Attributes) position(c Cursor) func(Entry) int {
	compare := make([]func(Entry) int, len(c.Keys))
	for i, o := range c.Keys {
		compare[i] = s.positionBy(o, c.Values[i])
	}
	return func(e Entry) int {
		for _, by := range compare {
			if c := by(e); c != 0 {
				return c
			}
		}
		return 0
	}
}

// Admit returns a predicate that selects all rows on c's side of its row: the rows of its page and
// of all further pages in its direction.
func (s Schema[T]) Admit(c Cursor) func(*Record[T]) bool {
	admit := s.attributes.Admit(c)
	return func(r *Record[T]) bool { return admit(r.Entry()) }
}

// Admit is like Schema.Admit.
func (s *Attributes) Admit(c Cursor) func(Entry) bool {
	position := s.position(c)
	return func(e Entry) bool {
		p := position(e)
		if c.Backward {
			p = -p
		}
		return p > 0 || p == 0 && c.Inclusive
	}
}

func (s *Attributes) positionBy(o Order, edge Value) func(Entry) int {
	col, sign := s.column(o.Attr), 1
	if o.Desc {
		sign = -1
	}
	isText := o.Attr.Kind == Text
	var compare func(a, b Value) int
	if !isText {
		compare = comparison(o.Attr.Kind)
	}
	return func(e Entry) int {
		v := col.get(e.row)
		if c, decided := nullsLast(v.Null, edge.Null); decided {
			return c
		}
		if isText {
			return sign * strings.Compare(col.fold(e), edge.Fold)
		}
		return sign * compare(v, edge)
	}
}

// edgeKeys returns the keys whose values a cursor contains: sort and the uuid.
func (s *Attributes) edgeKeys(sort []Order) []Order {
	if len(sort) == 0 {
		sort = s.sort
	}
	return append(slices.Clip(sort), Order{Attr: s.attr("uuid")})
}
