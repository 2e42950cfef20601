package ordered

import (
	"cmp"

	"github.com/google/uuid"
)

// Order is the order in which an index keeps rows.
type Order[R any] struct {
	Compare  func(a, b R) int // the default order of the list; no two rows are equal
	Sections []Section[R]
}

// Section is an attribute of kind UUID. An index keeps the rows of each value of the
// attribute together once more, for lists of these rows alone.
type Section[R any] struct {
	Attr string
	ID   func(R) uuid.UUID
}

// Index keeps rows in the default order of their list: all of them, and once more
// by the value of each section.
type Index[R any] struct {
	Order[R]
	All   Tree[R]
	apart []Tree[R] // one for each section
}

// NewIndex returns an empty index.
func NewIndex[R any](o Order[R]) Index[R] {
	x := Index[R]{Order: o, All: NewTree(o.Compare)}
	for _, s := range o.Sections {
		x.apart = append(x.apart, NewTree(func(a, b R) int {
			return cmp.Or(CompareIDs(s.ID(a), s.ID(b)), o.Compare(a, b))
		}))
	}
	return x
}

// Copy returns an index with the same rows that changes on its own.
func (x Index[R]) Copy() Index[R] {
	apart := make([]Tree[R], len(x.apart))
	for i, tree := range x.apart {
		apart[i] = tree.Copy()
	}
	x.All, x.apart = x.All.Copy(), apart
	return x
}

// Set adds r, or replaces the row that is equal in the order and has the same
// values of the sections.
func (x Index[R]) Set(r R) {
	x.All.Set(r)
	for _, tree := range x.apart {
		tree.Set(r)
	}
}

// Remove removes the row that is equal to r in the order and has the same values of
// the sections.
func (x Index[R]) Remove(r R) {
	x.All.Delete(r)
	for _, tree := range x.apart {
		tree.Delete(r)
	}
}

// replace puts r in the place of old.
func (x Index[R]) replace(old, r R) {
	if x.Compare(old, r) != 0 {
		x.All.Delete(old)
	}
	x.All.Set(r)
	for i, tree := range x.apart {
		if of := x.Sections[i].ID; x.Compare(old, r) != 0 || of(old) != of(r) {
			tree.Delete(old)
		}
		tree.Set(r)
	}
}

// Whole returns all rows.
func (x Index[R]) Whole() Span[R] { return Span[R]{x.All, 0, x.All.Len()} }

// Within returns the rows whose attribute attr is id. attr must be a section.
func (x Index[R]) Within(attr string, id uuid.UUID) Span[R] {
	i := x.section(attr)
	tree, of := x.apart[i], x.Sections[i].ID
	all := Span[R]{tree, 0, tree.Len()}
	return Span[R]{
		tree:  tree,
		begin: all.rank(func(r R) bool { return CompareIDs(of(r), id) >= 0 }),
		end:   all.rank(func(r R) bool { return CompareIDs(of(r), id) > 0 }),
	}
}

// section returns the position of the section attr, -1 if there is none.
func (x Index[R]) section(attr string) int {
	for i, s := range x.Sections {
		if s.Attr == attr {
			return i
		}
	}
	return -1
}
