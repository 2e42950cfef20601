package memory

import (
	"iter"
	"sort"
)

// span is rows that stand together in a tree.
type span[R any] struct {
	tree       sorted[R]
	begin, end int // ranks
}

func (s span[R]) length() int { return max(s.end-s.begin, 0) }

// from yields the rows without the first skip, which it does not visit either.
func (s span[R]) from(skip int) iter.Seq[R] {
	return func(yield func(R) bool) {
		left := s.length() - skip
		for r := range from(s.tree, s.begin+skip) {
			if left--; left < 0 || !yield(r) {
				return
			}
		}
	}
}

// rank returns the rank of the first row that is reached, s.end when none is;
// behind it reached holds for all.
func (s span[R]) rank(reached func(R) bool) int {
	return s.begin + sort.Search(s.length(), func(i int) bool {
		r, _ := s.tree.GetAt(s.begin + i)
		return reached(r)
	})
}
