package query

import (
	"bytes"
	"cmp"
	"strings"
)

// Compare returns the total order that sort stands for: its keys, from the most
// to the least significant, then the uuid, ascending. Text goes by its fold,
// byte by byte, false before true, and null last in both directions.
func (s Schema[T]) Compare(sort []Order) func(a, b *Record[T]) int {
	keys := make([]func(a, b *Record[T]) int, 0, len(sort)+1)
	for _, o := range sort {
		keys = append(keys, s.compareBy(o))
	}
	keys = append(keys, s.compareBy(Order{Attr: s.Attr("uuid")}))
	return func(a, b *Record[T]) int {
		for _, compare := range keys {
			if c := compare(a, b); c != 0 {
				return c
			}
		}
		return 0
	}
}

func (s Schema[T]) compareBy(o Order) func(a, b *Record[T]) int {
	col, sign := s.column(o.Attr), 1
	if o.Desc {
		sign = -1
	}
	if o.Attr.Kind == Text {
		return func(a, b *Record[T]) int {
			if c, decided := nullsLast(col.null(&a.Row), col.null(&b.Row)); decided {
				return c
			}
			return sign * strings.Compare(col.fold(a), col.fold(b))
		}
	}
	compare := comparison(o.Attr.Kind)
	return func(a, b *Record[T]) int {
		va, vb := col.get(&a.Row), col.get(&b.Row)
		if c, decided := nullsLast(va.Null, vb.Null); decided {
			return c
		}
		return sign * compare(va, vb)
	}
}

// nullsLast orders two attributes of which at least one is null; decided is
// false when neither is.
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

// comparison returns the order of the values of a kind; of operands that are
// ranges it looks at the begin. Text is not among the kinds: it goes by fold.
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
		return func(a, b Value) int { return cmp.Compare(ordinal(a.Bool), ordinal(b.Bool)) }
	case Date, Timestamp:
		return func(a, b Value) int { return a.From.Compare(b.From) }
	}
	panic("query: a kind without an order of values")
}

func ordinal(b bool) int {
	if b {
		return 1
	}
	return 0
}

// beyond tells whether v is greater than all that operand stands for.
func beyond(kind Kind, v, operand Value) bool {
	if kind == Date || kind == Timestamp {
		return !v.From.Before(operand.To)
	}
	return comparison(kind)(v, operand) > 0
}
