package ordered

import (
	"iter"
	"sort"
)

// Span is a range of consecutive rows of a tree.
type Span[R any] struct{ span span }

// span is a Span without its type parameter.
type span struct {
	tree       tree
	begin, end int // 0-based ranks; end is exclusive
}

// spanOf returns the rows of t from the rank begin to the rank end.
func spanOf[R any](t Tree[R], begin, end int) Span[R] {
	return Span[R]{span{untyped[R](t), begin, end}}
}

// Length returns the number of rows.
func (s Span[R]) Length() int { return s.span.length() }

// From yields all rows except the first skip rows, which it does not visit.
func (s Span[R]) From(skip int) iter.Seq[R] {
	return mapped(s.span.from(skip), func(r any) R { return r.(R) })
}

// Ordered returns the rows of s as a sequence in the order of the tree.
func (s Span[R]) Ordered() *sequence { return s.span.ordered() }

func (s span) length() int { return max(s.end-s.begin, 0) }

func (s span) from(skip int) iter.Seq[any] { return s.ordered().from(skip) }

func (s span) ordered() *sequence { return treeSequence(s.tree, s.begin, s.end) }

// rank returns the rank of the first row for which reached is true, or s.end. reached must be true
// for all rows after the first such row.
func (s span) rank(reached func(any) bool) int {
	return s.begin + sort.Search(s.length(), func(i int) bool { return reached(s.tree.at(s.begin + i)) })
}
