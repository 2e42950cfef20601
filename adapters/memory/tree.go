package memory

import (
	"bytes"
	"iter"

	"github.com/google/uuid"
	"github.com/tidwall/btree"
)

// newTree returns an empty tree in the order of compare.
//
// The trees carry no locks. Reading one writes nothing, to shared nodes neither,
// so any number of goroutines may read a published tree. Copy writes to the
// tree that it copies (a mark that readers never look at), so only the one
// writer of a school, or of the registry, calls it.
func newTree[E any](compare func(a, b E) int) *btree.BTreeG[E] {
	less := func(a, b E) bool { return compare(a, b) < 0 }
	return btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})
}

// from yields the tree's elements in order, without the first rank ones, which
// it does not visit either.
func from[E any](tree *btree.BTreeG[E], rank int) iter.Seq[E] {
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
type dict[K, V any] struct{ tree *btree.BTreeG[pair[K, V]] }

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
