package memory

import (
	"cmp"

	"github.com/google/uuid"
)

// order is in which order rows are kept for their lists.
type order[R any] struct {
	compare  func(a, b R) int // the default order of the list; no two rows are equal
	sections []section[R]
}

// section is an attribute of kind UUID by which rows are kept apart once more,
// for lists of one section.
type section[R any] struct {
	attr string
	id   func(R) uuid.UUID
}

// index is rows in the default order of their list: all of them, and once more
// section by section.
type index[R any] struct {
	order[R]
	all   sorted[R]
	apart []sorted[R] // for each of order.sections
}

func newIndex[R any](o order[R]) index[R] {
	x := index[R]{order: o, all: newTree(o.compare)}
	for _, s := range o.sections {
		x.apart = append(x.apart, newTree(func(a, b R) int {
			return cmp.Or(compareIDs(s.id(a), s.id(b)), o.compare(a, b))
		}))
	}
	return x
}

// Copy returns an index with the same rows that changes on its own.
func (x index[R]) Copy() index[R] {
	apart := make([]sorted[R], len(x.apart))
	for i, tree := range x.apart {
		apart[i] = tree.Copy()
	}
	x.all, x.apart = x.all.Copy(), apart
	return x
}

// set keeps r, in the place of a row that is equal in the order and stands in
// the same sections.
func (x index[R]) set(r R) {
	x.all.Set(r)
	for _, tree := range x.apart {
		tree.Set(r)
	}
}

// remove forgets the row that is equal to r in the order and stands in the same
// sections.
func (x index[R]) remove(r R) {
	x.all.Delete(r)
	for _, tree := range x.apart {
		tree.Delete(r)
	}
}

// replace keeps r in the place of old.
func (x index[R]) replace(old, r R) {
	if x.compare(old, r) != 0 {
		x.all.Delete(old)
	}
	x.all.Set(r)
	for i, tree := range x.apart {
		if of := x.sections[i].id; x.compare(old, r) != 0 || of(old) != of(r) {
			tree.Delete(old)
		}
		tree.Set(r)
	}
}

// whole returns all rows.
func (x index[R]) whole() span[R] { return span[R]{x.all, 0, x.all.Len()} }

// within returns the rows whose attribute attr, which must be a section's, is id.
func (x index[R]) within(attr string, id uuid.UUID) span[R] {
	i := x.section(attr)
	tree, of := x.apart[i], x.sections[i].id
	all := span[R]{tree, 0, tree.Len()}
	return span[R]{
		tree:  tree,
		begin: all.rank(func(r R) bool { return compareIDs(of(r), id) >= 0 }),
		end:   all.rank(func(r R) bool { return compareIDs(of(r), id) > 0 }),
	}
}

// section returns the number of the section by attr, -1 when there is none.
func (x index[R]) section(attr string) int {
	for i, s := range x.sections {
		if s.attr == attr {
			return i
		}
	}
	return -1
}
