package ordered

import (
	"bytes"
	"iter"
	"slices"

	"github.com/google/uuid"
)

// Tree is a B-tree of elements in an order.
//
// A tree has no locks. Reading does not write, not even to shared nodes, so any number of
// goroutines may read a tree that is no longer written to. Copy sets a mark in the tree that it
// copies. Readers do not read this mark, so Copy may run while the tree is read, but only one
// goroutine at a time may call it.
type Tree[E any] struct{ elements *btree[E] }

// NewTree returns an empty tree in the order of compare.
func NewTree[E any](compare func(a, b E) int) Tree[E] { return Tree[E]{newBtree(compare)} }

// Len returns the number of elements.
func (t Tree[E]) Len() int { return t.elements.len() }

// Copy returns a tree with the same elements that can be changed independently. It costs O(1):
// nodes are copied when they are first written to.
func (t Tree[E]) Copy() Tree[E] { return Tree[E]{t.elements.copied()} }

// Set inserts e, or replaces the element equal to e.
func (t Tree[E]) Set(e E) { t.elements.set(e) }

// Get returns the element equal to e and reports whether it exists.
func (t Tree[E]) Get(e E) (E, bool) { return t.elements.get(t.elements.of(e)) }

// Delete removes and returns the element equal to e and reports whether it existed.
func (t Tree[E]) Delete(e E) (E, bool) { return t.elements.delete(t.elements.of(e)) }

// Ascend yields the elements from first on in ascending order. first need not be an element.
func (t Tree[E]) Ascend(first E, yield func(E) bool) {
	t.elements.root.ascend(toPosition(t.elements.of(first)), yield)
}

// Descend yields the elements from first on in descending order. first need not be an element.
func (t Tree[E]) Descend(first E, yield func(E) bool) {
	t.elements.root.descend(toPosition(after(t.elements.of(first))), yield)
}

// Items returns all elements in order.
func (t Tree[E]) Items() []E {
	return slices.AppendSeq(make([]E, 0, t.Len()), t.elements.from(0))
}

// after returns the position directly after the element at a position.
func after[E any](at position[E]) position[E] {
	return func(e E) int {
		if c := at(e); c != 0 {
			return c
		}
		return -1
	}
}

// From yields the elements of tree from the 0-based rank on, in order, without visiting the
// elements before.
func From[E any](tree Tree[E], rank int) iter.Seq[E] { return tree.elements.from(rank) }

// Keyed contains rows in the order of a key, which is a part of the row.
type Keyed[K, R any] struct {
	rows    *btree[R]
	key     func(R) K
	compare func(a, b K) int
}

// NewKeyed returns an empty Keyed whose rows are in the order of their keys by compare.
func NewKeyed[K, R any](key func(R) K, compare func(a, b K) int) Keyed[K, R] {
	return Keyed[K, R]{newBtree(func(a, b R) int { return compare(key(a), key(b)) }), key, compare}
}

// Len returns the number of rows.
func (k Keyed[K, R]) Len() int { return k.rows.len() }

// Get returns the row with the given key and reports whether it exists.
func (k Keyed[K, R]) Get(key K) (R, bool) { return k.rows.get(k.at(key)) }

// Set inserts r, or replaces the row with the same key.
func (k Keyed[K, R]) Set(r R) { k.rows.set(r) }

// Remove removes the row with the given key, if it exists.
func (k Keyed[K, R]) Remove(key K) { k.rows.delete(k.at(key)) }

// From yields the rows from the 0-based rank on, in key order.
func (k Keyed[K, R]) From(rank int) iter.Seq[R] { return k.rows.from(rank) }

// After yields the first n rows whose keys are greater than key, in key order.
func (k Keyed[K, R]) After(key K, n int) iter.Seq[R] {
	return limited(func(yield func(R) bool) { k.rows.root.ascend(toPosition(after(k.at(key))), yield) }, n)
}

// Ordered returns the rows as a sequence in key order.
func (k Keyed[K, R]) Ordered() *sequence {
	return treeSequence(untyped[R]{k.rows}, 0, k.Len())
}

// Copy returns a Keyed with the same rows that can be changed independently.
func (k Keyed[K, R]) Copy() Keyed[K, R] { return Keyed[K, R]{k.rows.copied(), k.key, k.compare} }

// at returns the position of a key.
func (k Keyed[K, R]) at(key K) position[R] {
	return func(r R) int { return k.compare(k.key(r), key) }
}

// Dict is a map that is ordered by its keys. Its tree contains the pairs without their type, so that
// the compiler instantiates the tree once for all maps.
type Dict[K, V any] struct{ pairs Keyed[K, any] }

type pair[K, V any] struct {
	key   K
	value V
}

// NewDict returns an empty map whose keys are in the order of compare.
func NewDict[K, V any](compare func(a, b K) int) Dict[K, V] {
	return Dict[K, V]{NewKeyed(func(p any) K { return p.(*pair[K, V]).key }, compare)}
}

// Len returns the number of keys.
func (d Dict[K, V]) Len() int { return d.pairs.Len() }

// Get returns the value of key and reports whether it exists.
func (d Dict[K, V]) Get(key K) (V, bool) {
	if p, ok := d.pairs.Get(key); ok {
		return p.(*pair[K, V]).value, true
	}
	var none V
	return none, false
}

// Set sets the value of key.
func (d Dict[K, V]) Set(key K, value V) { d.pairs.Set(&pair[K, V]{key, value}) }

// Remove removes key, if it exists.
func (d Dict[K, V]) Remove(key K) { d.pairs.Remove(key) }

// From yields the values of the keys from the 0-based rank on, in key order.
func (d Dict[K, V]) From(rank int) iter.Seq[V] {
	return mapped(d.pairs.From(rank), func(p any) V { return p.(*pair[K, V]).value })
}

// Copy returns a map with the same entries that can be changed independently.
func (d Dict[K, V]) Copy() Dict[K, V] { return Dict[K, V]{d.pairs.Copy()} }

// CompareIDs compares two ids byte by byte, as Postgres does.
func CompareIDs(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }

// tree is a B-tree without the type of its elements. Listings use it, so that the compiler
// instantiates their code once.
type tree interface {
	length() int
	at(rank int) any
	from(rank int) iter.Seq[any]
	before(rank int) iter.Seq[any] // descending
}

// untyped is a B-tree as a tree.
type untyped[E any] struct{ elements *btree[E] }

func (u untyped[E]) length() int     { return u.elements.len() }
func (u untyped[E]) at(rank int) any { return u.elements.at(rank) }

func (u untyped[E]) from(rank int) iter.Seq[any]   { return mapped(u.elements.from(rank), toAny) }
func (u untyped[E]) before(rank int) iter.Seq[any] { return mapped(u.elements.before(rank), toAny) }

func toAny[E any](e E) any { return e }
