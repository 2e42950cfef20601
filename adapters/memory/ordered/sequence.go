package ordered

import (
	"iter"
	"sort"
)

// sequence contains rows in the order of a list. Ranks are 0-based.
type sequence[R any] struct {
	length int
	at     func(rank int) R
	from   func(rank int) iter.Seq[R] // the rows from rank on, ascending
	before func(rank int) iter.Seq[R] // the rows before rank, descending
}

// rank returns the rank of the first row for which reached is true, or w.length. reached must be
// true for all rows after the first such row.
func (w *sequence[R]) rank(reached func(R) bool) int {
	return sort.Search(w.length, func(i int) bool { return reached(w.at(i)) })
}

// before yields the n elements before the 0-based rank in descending order. It yields fewer if the
// tree has fewer.
func before[E any](tree Tree[E], rank, n int) iter.Seq[E] {
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
