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

// treeSequence returns the elements of t between the ranks begin and end, in the order of t.
func treeSequence(t tree, begin, end int) *sequence {
	length := max(end-begin, 0)
	return &sequence{
		length: length,
		at:     func(rank int) any { return t.at(begin + rank) },
		from:   func(rank int) iter.Seq[any] { return limited(t.from(begin+rank), length-rank) },
		before: func(rank int) iter.Seq[any] { return limited(t.before(begin+rank), rank) },
	}
}

// rank returns the rank of the first row for which reached is true, or w.length. reached must be
// true for all rows after the first such row.
func (w *sequence) rank(reached func(any) bool) int {
	return sort.Search(w.length, func(i int) bool { return reached(w.at(i)) })
}

func mapped[A, B any](elements iter.Seq[A], of func(A) B) iter.Seq[B] {
	return func(yield func(B) bool) {
		elements(func(e A) bool { return yield(of(e)) })
	}
}

// limited yields at most the first n elements.
func limited[E any](elements iter.Seq[E], n int) iter.Seq[E] {
	return func(yield func(E) bool) {
		if n <= 0 {
			return
		}
		left := n
		elements(func(e E) bool {
			left--
			return yield(e) && left > 0
		})
	}
}
