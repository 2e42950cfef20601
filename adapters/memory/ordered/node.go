package ordered

import "sort"

// node is a node of a btree. The elements of children[i] are between items[i-1] and items[i].
type node[E any] struct {
	owner    uint64
	length   int // number of elements of the node and its descendants
	items    []E
	children []*node[E] // empty in a leaf
}

// position is a place between elements, or the place of an element. It returns a negative number
// for the elements before it, a positive number for those after it, and 0 for the element at it.
type position[E any] func(E) int

func (n *node[E]) isLeaf() bool { return len(n.children) == 0 }

// last returns the last element of n or its descendants.
func (n *node[E]) last() E {
	for !n.isLeaf() {
		n = n.children[len(n.children)-1]
	}
	return n.items[len(n.items)-1]
}

// search returns the index of the first item that is not before a position, and reports whether it
// is at the position.
func (n *node[E]) search(at position[E]) (int, bool) {
	i := sort.Search(len(n.items), func(i int) bool { return at(n.items[i]) >= 0 })
	return i, i < len(n.items) && at(n.items[i]) == 0
}

// childAt returns the index of the child that contains a rank, or that is before the item with this
// rank, and the number of elements before this child.
func (n *node[E]) childAt(rank int) (i, skipped int) {
	for i < len(n.items) && skipped+n.children[i].length < rank {
		skipped += n.children[i].length + 1
		i++
	}
	return i, skipped
}

// start finds the place in a subtree at which an iteration starts. It returns the number of items
// of n before this place. It is called for each node on the path, from the root down.
type start[E any] func(n *node[E]) int

func toPosition[E any](at position[E]) start[E] {
	return func(n *node[E]) int {
		i, _ := n.search(at)
		return i
	}
}

func toRank[E any](rank int) start[E] {
	return func(n *node[E]) int {
		if n.isLeaf() {
			return min(rank, len(n.items))
		}
		i, skipped := n.childAt(rank)
		rank -= skipped
		return i
	}
}

// ascend yields the elements of n from start on in ascending order; nil: all elements. It reports
// whether yield returned true for all of them.
func (n *node[E]) ascend(from start[E], yield func(E) bool) bool {
	i := 0
	if from != nil {
		i = from(n)
	}
	for ; ; i++ {
		if !n.isLeaf() && !n.children[i].ascend(from, yield) {
			return false
		}
		if from = nil; i == len(n.items) {
			return true
		}
		if !yield(n.items[i]) {
			return false
		}
	}
}

// descend yields the elements of n before start in descending order; nil: all elements. It reports
// whether yield returned true for all of them.
func (n *node[E]) descend(from start[E], yield func(E) bool) bool {
	i := len(n.items)
	if from != nil {
		i = from(n)
	}
	for ; ; i-- {
		if !n.isLeaf() && !n.children[i].descend(from, yield) {
			return false
		}
		if from = nil; i == 0 {
			return true
		}
		if !yield(n.items[i-1]) {
			return false
		}
	}
}
