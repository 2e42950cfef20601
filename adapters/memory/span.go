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

// ordered returns the rows of s as a sequence.
func (s span[R]) ordered() *sequence[R] {
	return &sequence[R]{
		length: s.length(),
		at:     func(rank int) R { r, _ := s.tree.GetAt(s.begin + rank); return r },
		from:   s.from,
		before: func(rank int) iter.Seq[R] { return before(s.tree, s.begin+rank, rank) },
	}
}

// rank returns the rank of the first row that is reached, s.end when none is;
// after it reached holds for all.
func (s span[R]) rank(reached func(R) bool) int {
	return s.begin + sort.Search(s.length(), func(i int) bool {
		r, _ := s.tree.GetAt(s.begin + i)
		return reached(r)
	})
}
