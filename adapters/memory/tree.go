package memory

import (
	"bytes"
	"iter"

	"github.com/google/uuid"
	"github.com/tidwall/btree"
)

// sorted is a tree of elements in an order. Its element type is erased, so that
// the compiler makes one tree and not one for each of many types, with all that
// a tree can do: that took a minute.
//
// It carries no locks. Reading one writes nothing, to shared nodes neither, so
// any number of goroutines may read a published tree. Copy writes to the tree
// that it copies (a mark that readers never look at), so only the one writer of
// a school, or of the registry, calls it.
type sorted[E any] struct{ of *btree.BTreeG[any] }

// newTree returns an empty tree in the order of compare.
func newTree[E any](compare func(a, b E) int) sorted[E] {
	less := func(a, b any) bool { return compare(a.(E), b.(E)) < 0 }
	return sorted[E]{btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})}
}

func (t sorted[E]) Len() int          { return t.of.Len() }
func (t sorted[E]) Copy() sorted[E]   { return sorted[E]{t.of.Copy()} }
func (t sorted[E]) Set(e E)           { t.of.Set(e) }
func (t sorted[E]) Less(a, b E) bool  { return t.of.Less(a, b) }
func (t sorted[E]) Get(e E) (E, bool) { return found[E](t.of.Get(e)) }

// Delete forgets the element equal to e, and returns it where there was one.
func (t sorted[E]) Delete(e E) (E, bool) { return found[E](t.of.Delete(e)) }

// GetAt returns the element of a rank.
func (t sorted[E]) GetAt(rank int) (E, bool) { return found[E](t.of.GetAt(rank)) }

// Scan yields all elements in order.
func (t sorted[E]) Scan(yield func(E) bool) { t.of.Scan(erased(yield)) }

// Ascend yields the elements from first on; Descend goes the other way.
func (t sorted[E]) Ascend(first E, yield func(E) bool)  { t.of.Ascend(first, erased(yield)) }
func (t sorted[E]) Descend(first E, yield func(E) bool) { t.of.Descend(first, erased(yield)) }

// Items returns all elements in order.
func (t sorted[E]) Items() []E {
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

// from yields the tree's elements in order, without the first rank ones, which
// it does not visit either.
func from[E any](tree sorted[E], rank int) iter.Seq[E] {
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

// dict maps keys to values, in the order of the keys.
type dict[K, V any] struct{ tree sorted[pair[K, V]] }

type pair[K, V any] struct {
	key   K
	value V
}

func newDict[K, V any](compare func(a, b K) int) dict[K, V] {
	return dict[K, V]{newTree(func(a, b pair[K, V]) int { return compare(a.key, b.key) })}
}

func (d dict[K, V]) get(key K) (V, bool) {
	p, ok := d.tree.Get(pair[K, V]{key: key})
	return p.value, ok
}

func (d dict[K, V]) set(key K, value V) { d.tree.Set(pair[K, V]{key, value}) }

func (d dict[K, V]) remove(key K) { d.tree.Delete(pair[K, V]{key: key}) }

// from yields the values in the order of their keys, without the first rank.
func (d dict[K, V]) from(rank int) iter.Seq[V] {
	return func(yield func(V) bool) {
		for p := range from(d.tree, rank) {
			if !yield(p.value) {
				return
			}
		}
	}
}

// ordered returns the values in the order of their keys.
func (d dict[K, V]) ordered() *sequence[V] {
	return &sequence[V]{
		length: d.tree.Len(),
		at:     func(rank int) V { p, _ := d.tree.GetAt(rank); return p.value },
		from:   d.from,
		before: func(rank int) iter.Seq[V] {
			return func(yield func(V) bool) {
				for p := range before(d.tree, rank, rank) {
					if !yield(p.value) {
						return
					}
				}
			}
		},
	}
}

// behind yields the values of the first n keys behind key, in their order.
func (d dict[K, V]) behind(key K, n int) iter.Seq[V] {
	start := pair[K, V]{key: key}
	return func(yield func(V) bool) {
		left := n
		d.tree.Ascend(start, func(p pair[K, V]) bool {
			if !d.tree.Less(start, p) {
				return true // key itself
			}
			left--
			return left >= 0 && yield(p.value)
		})
	}
}

// Copy returns a dict that changes on its own.
func (d dict[K, V]) Copy() dict[K, V] { return dict[K, V]{d.tree.Copy()} }

func compareIDs(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }
