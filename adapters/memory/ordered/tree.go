package ordered

import (
	"bytes"
	"iter"

	"github.com/google/uuid"
	"github.com/tidwall/btree"
)

// Tree is a B-tree of elements in an order. It stores elements as any, so that the compiler
// instantiates one B-tree for all types, which saves a minute of compile time.
//
// A tree has no locks. Reading does not write, not even to shared nodes, so any number of
// goroutines may read a tree that is no longer written to. Copy sets marks in the nodes of the tree
// that it copies. Readers do not read these marks, so Copy may run while the tree is read, but only
// one goroutine at a time may call it.
type Tree[E any] struct{ of *btree.BTreeG[any] }

// NewTree returns an empty tree in the order of compare.
func NewTree[E any](compare func(a, b E) int) Tree[E] {
	less := func(a, b any) bool { return compare(a.(E), b.(E)) < 0 }
	return Tree[E]{btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})}
}

// Len returns the number of elements.
func (t Tree[E]) Len() int { return t.of.Len() }

// Copy returns a tree with the same elements that can be changed independently. It costs O(1):
// nodes are copied when they are first written to.
func (t Tree[E]) Copy() Tree[E] { return Tree[E]{t.of.Copy()} }

// Set inserts e, or replaces the element equal to e.
func (t Tree[E]) Set(e E) { t.of.Set(e) }

// Less reports whether a is before b.
func (t Tree[E]) Less(a, b E) bool { return t.of.Less(a, b) }

// Get returns the element equal to e and reports whether it exists.
func (t Tree[E]) Get(e E) (E, bool) { return found[E](t.of.Get(e)) }

// Delete removes and returns the element equal to e and reports whether it existed.
func (t Tree[E]) Delete(e E) (E, bool) { return found[E](t.of.Delete(e)) }

// GetAt returns the element with the 0-based rank and reports whether it exists.
func (t Tree[E]) GetAt(rank int) (E, bool) { return found[E](t.of.GetAt(rank)) }

// Scan yields all elements in order.
func (t Tree[E]) Scan(yield func(E) bool) { t.of.Scan(erased(yield)) }

// Ascend yields the elements from first on in ascending order. first need not be an element.
func (t Tree[E]) Ascend(first E, yield func(E) bool) { t.of.Ascend(first, erased(yield)) }

// Descend yields the elements from first on in descending order. first need not be an element.
func (t Tree[E]) Descend(first E, yield func(E) bool) { t.of.Descend(first, erased(yield)) }

// Items returns all elements in order.
func (t Tree[E]) Items() []E {
	items := make([]E, 0, t.Len())
	t.Scan(func(e E) bool {
		items = append(items, e)
		return true
	})
	return items
}

func erased[E any](yield func(E) bool) func(any) bool {
	return func(e any) bool { return yield(e.(E)) }
}

func found[E any](e any, ok bool) (E, bool) {
	if !ok {
		var none E
		return none, false
	}
	return e.(E), true
}

// From yields the elements of tree from the 0-based rank on, in order, without visiting the
// elements before.
func From[E any](tree Tree[E], rank int) iter.Seq[E] {
	return func(yield func(E) bool) {
		if rank == 0 {
			tree.Scan(yield)
			return
		}
		if first, ok := tree.GetAt(rank); ok {
			tree.Ascend(first, yield)
		}
	}
}

// Dict is a map that is ordered by its keys. It is a Tree of pairs of a key and its value.
type Dict[K, V any] struct{ Tree Tree[pair[K, V]] }

type pair[K, V any] struct {
	key   K
	value V
}

// NewDict returns an empty map whose keys are in the order of compare.
func NewDict[K, V any](compare func(a, b K) int) Dict[K, V] {
	return Dict[K, V]{NewTree(func(a, b pair[K, V]) int { return compare(a.key, b.key) })}
}

// Get returns the value of key and reports whether it exists.
func (d Dict[K, V]) Get(key K) (V, bool) {
	p, ok := d.Tree.Get(pair[K, V]{key: key})
	return p.value, ok
}

// Set sets the value of key.
func (d Dict[K, V]) Set(key K, value V) { d.Tree.Set(pair[K, V]{key, value}) }

// Remove removes key, if it exists.
func (d Dict[K, V]) Remove(key K) { d.Tree.Delete(pair[K, V]{key: key}) }

// From yields the values of the keys from the 0-based rank on, in key order.
func (d Dict[K, V]) From(rank int) iter.Seq[V] {
	return func(yield func(V) bool) {
		for p := range From(d.Tree, rank) {
			if !yield(p.value) {
				return
			}
		}
	}
}

// Ordered returns the values in key order.
func (d Dict[K, V]) Ordered() *sequence[V] {
	return &sequence[V]{
		length: d.Tree.Len(),
		at:     func(rank int) V { p, _ := d.Tree.GetAt(rank); return p.value },
		from:   d.From,
		before: func(rank int) iter.Seq[V] {
			return func(yield func(V) bool) {
				for p := range before(d.Tree, rank, rank) {
					if !yield(p.value) {
						return
					}
				}
			}
		},
	}
}

// After yields the values of the first n keys after key, in key order.
func (d Dict[K, V]) After(key K, n int) iter.Seq[V] {
	start := pair[K, V]{key: key}
	return func(yield func(V) bool) {
		left := n
		d.Tree.Ascend(start, func(p pair[K, V]) bool {
			if !d.Tree.Less(start, p) {
				return true // key itself
			}
			left--
			return left >= 0 && yield(p.value)
		})
	}
}

// Copy returns a map with the same entries that can be changed independently.
func (d Dict[K, V]) Copy() Dict[K, V] { return Dict[K, V]{d.Tree.Copy()} }

// CompareIDs compares two ids byte by byte, as Postgres does.
func CompareIDs(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }
