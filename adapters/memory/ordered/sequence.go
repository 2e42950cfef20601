package ordered

import (
	"iter"
	"sort"
)

// sequence contains rows in the order of a list. Ranks are 0-based.
type sequence struct {
	length int
	at     func(rank int) any
	from   func(rank int) iter.Seq[any] // the rows from rank on, ascending
	before func(rank int) iter.Seq[any] // the rows before rank, descending
}

// treeSequence returns the rows of the elements of t between the ranks begin and end, in the order
// of t. rowOf returns the row of an element.
func treeSequence(t tree, begin, end int, rowOf func(element any) any) *sequence {
	length := max(end-begin, 0)
	return &sequence{
		length: length,
		at:     func(rank int) any { e, _ := t.GetAt(begin + rank); return rowOf(e) },
		from: func(rank int) iter.Seq[any] {
			return mapped(limited(t.from(begin+rank), length-rank), rowOf)
		},
		before: func(rank int) iter.Seq[any] { return mapped(t.before(begin+rank, rank), rowOf) },
	}
}

// rank returns the rank of the first row for which reached is true, or w.length. reached must be
// true for all rows after the first such row.
func (w *sequence) rank(reached func(any) bool) int {
	return sort.Search(w.length, func(i int) bool { return reached(w.at(i)) })
}

func mapped(elements iter.Seq[any], of func(any) any) iter.Seq[any] {
	return func(yield func(any) bool) {
		elements(func(e any) bool { return yield(of(e)) })
	}
}

// limited yields at most the first n elements.
func limited(elements iter.Seq[any], n int) iter.Seq[any] {
	return func(yield func(any) bool) {
		left := n
		elements(func(e any) bool {
			left--
			return left >= 0 && yield(e)
		})
	}
}
