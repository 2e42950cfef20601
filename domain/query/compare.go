package query

import (
	"bytes"
	"cmp"
	"strings"
)

// Compare returns the total order for sort: by its keys, most significant first, then by uuid,
// ascending. Text is compared by its fold, byte by byte. False is less than true. Null is last in
// both directions.
func (s Schema[T]) Compare(sort []Order) func(a, b *Record[T]) int {
	compare := s.attributes.Compare(sort)
	return func(a, b *Record[T]) int { return compare(a.Entry(), b.Entry()) }
}

// Compare is like Schema.Compare.
func (s *Attributes) Compare(sort []Order) func(a, b Entry) int {
	keys := make([]func(a, b Entry) int, 0, len(sort)+1)
	for _, o := range sort {
		keys = append(keys, s.compareBy(o))
	}
	keys = append(keys, s.compareBy(Order{Attr: s.attr("uuid")}))
	return func(a, b Entry) int {
		for _, compare := range keys {
			if c := compare(a, b); c != 0 {
				return c
			}
		}
		return 0
	}
}

func (s *Attributes) compareBy(o Order) func(a, b Entry) int {
	col, sign := s.column(o.Attr), 1
	if o.Desc {
		sign = -1
	}
	if o.Attr.Kind == Text {
		return func(a, b Entry) int {
			if c, decided := nullsLast(col.null(a.row), col.null(b.row)); decided {
				return c
			}
			return sign * strings.Compare(col.fold(a), col.fold(b))
		}
	}
	compare := comparison(o.Attr.Kind)
	return func(a, b Entry) int {
		va, vb := col.get(a.row), col.get(b.row)
		if c, decided := nullsLast(va.Null, vb.Null); decided {
			return c
		}
		return sign * compare(va, vb)
	}
}

// nullsLast compares two attributes of which at least one is null; decided is false if neither is.
func nullsLast(a, b bool) (order int, decided bool) {
	switch {
	case a && b:
		return 0, true
	case a:
		return 1, true
	case b:
		return -1, true
	}
	return 0, false
}

// comparison returns the order of the values of a kind. Operands that are ranges are compared by
// their start. Text is not supported, since it is compared by fold.
func comparison(kind Kind) func(a, b Value) int {
	switch kind {
	case UUID:
		return func(a, b Value) int { return bytes.Compare(a.ID[:], b.ID[:]) }
	case Token:
		return func(a, b Value) int { return strings.Compare(a.Text, b.Text) }
	case Integer:
		return func(a, b Value) int { return cmp.Compare(a.Int, b.Int) }
	case Number:
		return func(a, b Value) int { return a.Num.Cmp(b.Num) }
	case Boolean:
		return func(a, b Value) int { return cmp.Compare(boolRank(a.Bool), boolRank(b.Bool)) }
	case Date, Timestamp:
		return func(a, b Value) int { return a.From.Compare(b.From) }
	}
	panic("query: a kind without an order of values")
}

func boolRank(b bool) int {
	if b {
		return 1
	}
	return 0
}

// greaterThanAll reports whether v is greater than every value in the range of operand.
func greaterThanAll(kind Kind, v, operand Value) bool {
	if kind == Date || kind == Timestamp {
		return !v.From.Before(operand.To)
	}
	return comparison(kind)(v, operand) > 0
}
