package memory

import (
	"iter"
	"sort"
)

// sequence is rows in the order in which a list shows them.
type sequence[R any] struct {
	length int
	at     func(rank int) R           // from 0
	from   func(rank int) iter.Seq[R] // the rows from a rank on, in order
	before func(rank int) iter.Seq[R] // the rows before a rank, in the opposite order
}

// rank returns how many rows come before the first one that is reached; after it
// reached holds for all.
func (w *sequence[R]) rank(reached func(R) bool) int {
	return sort.Search(w.length, func(i int) bool { return reached(w.at(i)) })
}

// before yields n elements of the tree that come before a rank, in the opposite
// order.
func before[E any](tree sorted[E], rank, n int) iter.Seq[E] {
	return func(yield func(E) bool) {
		last, ok := tree.GetAt(rank - 1)
		if !ok || n <= 0 {
			return
		}
		left := n
		tree.Descend(last, func(e E) bool {
			left--
			return yield(e) && left > 0
		})
	}
}
