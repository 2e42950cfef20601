package ordered

import (
	"cmp"
	"slices"

	"github.com/google/uuid"
)

// Order is the order of an index and its division into sections.
type Order[R any] struct {
	Compare  func(a, b R) int // default order of the list; must not be 0 for different rows
	Sections []Section[R]
}

// Section is an attribute of kind UUID by which an index groups its rows in an additional tree. The
// rows with the same value are consecutive in this tree, so a list of them visits no other rows. A
// row whose value is the zero UUID is in no section, and takes no memory in the tree.
type Section[R any] struct {
	Attr string // query.Attr.Source of the attribute
	ID   func(R) uuid.UUID
}

// Index is a set of rows in the default order of their list, with an additional tree for each
// section.
type Index[R any] struct {
	Order[R]
	All          Tree[R]
	sectionTrees []Tree[R] // by section, then in the default order
}

// NewIndex returns an empty index.
func NewIndex[R any](o Order[R]) Index[R] {
	x := Index[R]{Order: o, All: NewTree(o.Compare)}
	for _, s := range o.Sections {
		x.sectionTrees = append(x.sectionTrees, NewTree(func(a, b R) int {
			return cmp.Or(CompareIDs(s.ID(a), s.ID(b)), o.Compare(a, b))
		}))
	}
	return x
}

// Copy returns an index with the same rows that can be changed independently.
func (x Index[R]) Copy() Index[R] {
	apart := make([]Tree[R], len(x.sectionTrees))
	for i, tree := range x.sectionTrees {
		apart[i] = tree.Copy()
	}
	x.All, x.sectionTrees = x.All.Copy(), apart
	return x
}

// Set inserts r, or replaces the row that compares equal to r. That row must be in the same
// sections as r.
func (x Index[R]) Set(r R) {
	x.All.Set(r)
	for i, tree := range x.sectionTrees {
		if x.Sections[i].ID(r) != uuid.Nil {
			tree.Set(r)
		}
	}
}

// Remove removes the row that compares equal to r. That row must be in the same sections as r.
func (x Index[R]) Remove(r R) {
	x.All.Delete(r)
	for _, tree := range x.sectionTrees {
		tree.Delete(r)
	}
}

// Replace replaces the row old with r. The rows may differ in all attributes, including the
// attributes of the order and the sections.
func (x Index[R]) Replace(old, r R) {
	if x.Compare(old, r) != 0 {
		x.All.Delete(old)
	}
	x.All.Set(r)
	for i, tree := range x.sectionTrees {
		if of := x.Sections[i].ID; x.Compare(old, r) != 0 || of(old) != of(r) {
			tree.Delete(old)
		}
		if x.Sections[i].ID(r) != uuid.Nil {
			tree.Set(r)
		}
	}
}

// Whole returns all rows.
func (x Index[R]) Whole() Span[R] { return spanOf(x.All, 0, x.All.Len()) }

// Within returns the rows whose attribute attr is id. attr must be a section.
func (x Index[R]) Within(attr string, id uuid.UUID) Span[R] {
	i := slices.IndexFunc(x.Sections, func(s Section[R]) bool { return s.Attr == attr })
	tree, in := x.sectionTrees[i], func(r R) int { return CompareIDs(x.Sections[i].ID(r), id) }
	return spanOf(tree, tree.elements.rank(in), tree.elements.rank(after(in)))
}

// rows returns the index without its type parameter.
func (x Index[R]) rows() rows {
	sections := make([]string, len(x.Sections))
	for i, s := range x.Sections {
		sections[i] = s.Attr
	}
	return rows{x.Whole().span, sections, func(attr string, id uuid.UUID) span { return x.Within(attr, id).span }}
}

// rows is an Index without its type parameter.
type rows struct {
	whole    span
	sections []string
	within   func(attr string, id uuid.UUID) span
}
