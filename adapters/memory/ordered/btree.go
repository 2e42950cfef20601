package ordered

import (
	"iter"
	"slices"
	"sync/atomic"
)

const (
	// maxItems is the largest number of elements in a node. An inner node has one child more, so
	// that the children, and the elements with one unused place, take exactly 512 bytes.
	maxItems = 63
	// minItems is the number of elements below which a node is joined with its neighbor. Nodes with
	// fewer elements exist only at the edges of a tree.
	minItems = 16
	// growth is the number of places that are added to a full slice. It is low, because most nodes
	// get no further elements.
	growth = 8
)

// btree is a B-tree that can be copied in O(1): the copies share nodes until one of them writes.
type btree[E any] struct {
	compare func(a, b E) int
	root    *node[E]
	owner   uint64 // identifies the nodes that the tree may write to
}

var lastOwner atomic.Uint64

func newBtree[E any](compare func(a, b E) int) *btree[E] {
	owner := lastOwner.Add(1)
	return &btree[E]{compare, &node[E]{owner: owner}, owner}
}

func (t *btree[E]) copied() *btree[E] {
	t.owner = lastOwner.Add(1) // t must not write to the shared nodes either
	return &btree[E]{t.compare, t.root, lastOwner.Add(1)}
}

func (t *btree[E]) len() int { return t.root.length }

// of returns the position of e.
func (t *btree[E]) of(e E) position[E] { return func(x E) int { return t.compare(x, e) } }

// get returns the element at a position and reports whether it exists.
func (t *btree[E]) get(at position[E]) (E, bool) {
	for n := t.root; ; {
		i, found := n.search(at)
		if found {
			return n.items[i], true
		}
		if n.isLeaf() {
			var none E
			return none, false
		}
		n = n.children[i]
	}
}

// at returns the element with the given 0-based rank, which must exist.
func (t *btree[E]) at(rank int) E {
	n := t.root
	for !n.isLeaf() {
		i, skipped := n.childAt(rank)
		if rank -= skipped; rank == n.children[i].length {
			return n.items[i]
		}
		n = n.children[i]
	}
	return n.items[rank]
}

// rank returns the rank of the first element that is not before a position.
func (t *btree[E]) rank(at position[E]) int {
	rank, n := 0, t.root
	for {
		i, _ := n.search(at)
		rank += i
		if n.isLeaf() {
			return rank
		}
		for _, child := range n.children[:i] {
			rank += child.length
		}
		n = n.children[i]
	}
}

// from yields the elements from the 0-based rank on in ascending order.
func (t *btree[E]) from(rank int) iter.Seq[E] {
	return func(yield func(E) bool) { t.root.ascend(toRank[E](rank), yield) }
}

// before yields the elements before the 0-based rank in descending order.
func (t *btree[E]) before(rank int) iter.Seq[E] {
	return func(yield func(E) bool) { t.root.descend(toRank[E](rank), yield) }
}

// set inserts e, or replaces the element equal to e.
func (t *btree[E]) set(e E) {
	if len(t.root.items) == maxItems {
		t.root = &node[E]{t.owner, t.root.length, nil, []*node[E]{t.root}}
	}
	t.root = t.writable(t.root)
	t.insert(t.root, e, t.of(e), true, true)
}

// insert inserts e into the subtree n, and reports whether it did. Otherwise it replaced an
// element. at is the position of e. first and last report whether n is at the left or right edge of
// the tree.
func (t *btree[E]) insert(n *node[E], e E, at position[E], first, last bool) bool {
	i, found := n.search(at)
	leftmost, rightmost := first && i == 0, last && i == len(n.items)
	switch {
	case found:
		n.items[i] = e
		return false
	case n.isLeaf():
		n.items = inserted(n.items, i, e)
	case len(n.children[i].items) == maxItems:
		t.split(n, i, at, leftmost, rightmost)
		return t.insert(n, e, at, first, last)
	default:
		n.children[i] = t.writable(n.children[i])
		if !t.insert(n.children[i], e, at, leftmost, rightmost) {
			return false
		}
	}
	n.length++
	return true
}

// split divides the full child i of n before an element is inserted at a position. It divides the
// child in the middle, unless the element becomes the first or last one of the tree: elements that
// are inserted in order leave full nodes.
func (t *btree[E]) split(n *node[E], i int, at position[E], leftmost, rightmost bool) {
	child, middle := n.children[i], maxItems/2
	switch {
	case rightmost && at(child.items[maxItems-1]) < 0:
		middle = maxItems - 2
	case leftmost && at(child.items[0]) > 0:
		middle = 1
	}
	n.items = inserted(n.items, i, child.items[middle])
	n.children = inserted(n.children, i+1, t.part(child, middle+1, maxItems))
	n.children[i] = t.part(child, 0, middle)
}

// delete removes and returns the element at a position and reports whether it existed.
func (t *btree[E]) delete(at position[E]) (E, bool) {
	e, ok := t.get(at)
	if ok {
		t.root = t.writable(t.root)
		t.remove(t.root, at)
		if len(t.root.items) == 0 && !t.root.isLeaf() {
			t.root = t.root.children[0]
		}
	}
	return e, ok
}

// remove removes the element at a position from the subtree n, which must contain it.
func (t *btree[E]) remove(n *node[E], at position[E]) {
	i, found := n.search(at)
	n.length--
	if n.isLeaf() {
		n.items = slices.Delete(n.items, i, i+1)
		return
	}
	child := t.writable(n.children[i])
	n.children[i] = child
	if found {
		n.items[i] = child.last()
		at = t.of(n.items[i])
	}
	t.remove(child, at)
	if len(child.items) < minItems {
		t.join(n, min(i, len(n.items)-1))
	}
}

// join replaces the children i and i+1 of n with one node or, if they have too many elements for
// one, with two nodes of equal size.
func (t *btree[E]) join(n *node[E], i int) {
	left, right := n.children[i], n.children[i+1]
	both := &node[E]{
		t.owner, left.length + 1 + right.length,
		slices.Concat(left.items, n.items[i:i+1], right.items), slices.Concat(left.children, right.children),
	}
	if len(both.items) > maxItems {
		middle := len(both.items) / 2
		n.items[i] = both.items[middle]
		n.children[i], n.children[i+1] = t.part(both, 0, middle), t.part(both, middle+1, len(both.items))
		return
	}
	n.items, n.children = slices.Delete(n.items, i, i+1), slices.Delete(n.children, i+1, i+2)
	n.children[i] = both
}

// part returns a node with the items of n from begin to end, and the children next to them.
func (t *btree[E]) part(n *node[E], begin, end int) *node[E] {
	p := &node[E]{owner: t.owner, length: end - begin, items: slices.Clone(n.items[begin:end])}
	if !n.isLeaf() {
		p.children = slices.Clone(n.children[begin : end+1])
	}
	for _, child := range p.children {
		p.length += child.length
	}
	return p
}

// writable returns n if the tree may write to it, or else a copy.
func (t *btree[E]) writable(n *node[E]) *node[E] {
	if n.owner == t.owner {
		return n
	}
	return &node[E]{t.owner, n.length, slices.Clone(n.items), slices.Clone(n.children)}
}

// inserted inserts e into s at the index i.
func inserted[E any](s []E, i int, e E) []E {
	if len(s) == cap(s) {
		s = append(make([]E, 0, len(s)+growth), s...)
	}
	return slices.Insert(s, i, e)
}
