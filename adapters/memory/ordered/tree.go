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
type Tree[E any] struct{ tree tree }

// NewTree returns an empty tree in the order of compare.
func NewTree[E any](compare func(a, b E) int) Tree[E] {
	return Tree[E]{newTree(func(a, b any) bool { return compare(a.(E), b.(E)) < 0 })}
}

// Len returns the number of elements.
func (t Tree[E]) Len() int { return t.tree.Len() }

// Copy returns a tree with the same elements that can be changed independently. It costs O(1):
// nodes are copied when they are first written to.
func (t Tree[E]) Copy() Tree[E] { return Tree[E]{t.tree.copied()} }

// Set inserts e, or replaces the element equal to e.
func (t Tree[E]) Set(e E) { t.tree.Set(e) }

// Get returns the element equal to e and reports whether it exists.
func (t Tree[E]) Get(e E) (E, bool) { return found[E](t.tree.Get(e)) }

// Delete removes and returns the element equal to e and reports whether it existed.
func (t Tree[E]) Delete(e E) (E, bool) { return found[E](t.tree.Delete(e)) }

// Ascend yields the elements from first on in ascending order. first need not be an element.
func (t Tree[E]) Ascend(first E, yield func(E) bool) {
	t.tree.Ascend(first, func(e any) bool { return yield(e.(E)) })
}

// Descend yields the elements from first on in descending order. first need not be an element.
func (t Tree[E]) Descend(first E, yield func(E) bool) {
	t.tree.Descend(first, func(e any) bool { return yield(e.(E)) })
}

// Items returns all elements in order.
func (t Tree[E]) Items() []E {
	items := make([]E, 0, t.Len())
	t.tree.Scan(func(e any) bool {
		items = append(items, e.(E))
		return true
	})
	return items
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
func From[E any](tree Tree[E], rank int) iter.Seq[E] { return typed[E](tree.tree.from(rank)) }

// typed yields the elements of a sequence whose elements are all of the type E.
func typed[E any](elements iter.Seq[any]) iter.Seq[E] {
	return func(yield func(E) bool) {
		elements(func(e any) bool { return yield(e.(E)) })
	}
}

// tree is a Tree without its type parameter.
type tree struct{ *btree.BTreeG[any] }

func newTree(less func(a, b any) bool) tree {
	return tree{btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})}
}

func (t tree) copied() tree { return tree{t.Copy()} }

// from yields the elements from the 0-based rank on, in order, without visiting the elements
// before.
func (t tree) from(rank int) iter.Seq[any] {
	return func(yield func(any) bool) {
		if rank == 0 {
			t.Scan(yield)
			return
		}
		if first, ok := t.GetAt(rank); ok {
			t.Ascend(first, yield)
		}
	}
}

// before yields the n elements before the 0-based rank in descending order. It yields fewer if the
// tree has fewer.
func (t tree) before(rank, n int) iter.Seq[any] {
	return func(yield func(any) bool) {
		last, ok := t.GetAt(rank - 1)
		if !ok || n <= 0 {
			return
		}
		left := n
		t.Descend(last, func(e any) bool {
			left--
			return yield(e) && left > 0
		})
	}
}

// Dict is a map that is ordered by its keys.
type Dict[K, V any] struct{ pairs tree } // the elements are *pair[K, V]

type pair[K, V any] struct {
	key   K
	value V
}

// NewDict returns an empty map whose keys are in the order of compare.
func NewDict[K, V any](compare func(a, b K) int) Dict[K, V] {
	return Dict[K, V]{newTree(func(a, b any) bool { return compare(a.(*pair[K, V]).key, b.(*pair[K, V]).key) < 0 })}
}

// Len returns the number of keys.
func (d Dict[K, V]) Len() int { return d.pairs.Len() }

// Get returns the value of key and reports whether it exists.
func (d Dict[K, V]) Get(key K) (V, bool) {
	if p, ok := d.pairs.Get(&pair[K, V]{key: key}); ok {
		return p.(*pair[K, V]).value, true
	}
	var none V
	return none, false
}

// Set sets the value of key.
func (d Dict[K, V]) Set(key K, value V) { d.pairs.Set(&pair[K, V]{key, value}) }

// Remove removes key, if it exists.
func (d Dict[K, V]) Remove(key K) { d.pairs.Delete(&pair[K, V]{key: key}) }

// From yields the values of the keys from the 0-based rank on, in key order.
func (d Dict[K, V]) From(rank int) iter.Seq[V] {
	return func(yield func(V) bool) {
		d.pairs.from(rank)(func(p any) bool { return yield(p.(*pair[K, V]).value) })
	}
}

// Ordered returns the values in key order.
func (d Dict[K, V]) Ordered() *sequence {
	return treeSequence(d.pairs, 0, d.Len(), func(p any) any { return p.(*pair[K, V]).value })
}

// After yields the values of the first n keys after key, in key order.
func (d Dict[K, V]) After(key K, n int) iter.Seq[V] {
	return func(yield func(V) bool) {
		left := n
		var start any = &pair[K, V]{key: key}
		d.pairs.Ascend(start, func(p any) bool {
			if !d.pairs.Less(start, p) {
				return true // skip key itself
			}
			left--
			return left >= 0 && yield(p.(*pair[K, V]).value)
		})
	}
}

// Copy returns a map with the same entries that can be changed independently.
func (d Dict[K, V]) Copy() Dict[K, V] { return Dict[K, V]{d.pairs.copied()} }

// CompareIDs compares two ids byte by byte, as Postgres does.
func CompareIDs(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }
