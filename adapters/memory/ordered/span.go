package ordered

import (
	"iter"
	"sort"
)

// Span is a range of consecutive rows of a tree.
type Span[R any] struct {
	tree       Tree[R]
	begin, end int // 0-based ranks; end is exclusive
}

// Length returns the number of rows.
func (s Span[R]) Length() int { return max(s.end-s.begin, 0) }

// From yields all rows except the first skip rows, which it does not visit.
func (s Span[R]) From(skip int) iter.Seq[R] {
	return func(yield func(R) bool) {
		left := s.Length() - skip
		for r := range From(s.tree, s.begin+skip) {
			if left--; left < 0 || !yield(r) {
				return
			}
		}
	}
}

// Ordered returns the rows of s as a sequence in the order of the tree.
func (s Span[R]) Ordered() *sequence[R] {
	return &sequence[R]{
		length: s.Length(),
		at:     func(rank int) R { r, _ := s.tree.GetAt(s.begin + rank); return r },
		from:   s.From,
		before: func(rank int) iter.Seq[R] { return before(s.tree, s.begin+rank, rank) },
	}
}

// rank returns the rank of the first row for which reached is true, or s.end. reached must be true
// for all rows after the first such row.
func (s Span[R]) rank(reached func(R) bool) int {
	return s.begin + sort.Search(s.Length(), func(i int) bool {
		r, _ := s.tree.GetAt(s.begin + i)
		return reached(r)
	})
}
