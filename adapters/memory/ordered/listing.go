package ordered

import (
	"slices"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// Listing executes list queries over the rows of a list.
type Listing struct {
	attributes *query.Attributes
	rows       rows                  // in the default order of the attributes
	show       func(any) query.Entry // returns the entry of a row
	byID       *sequence             // all rows in the order of their IDs; nil if the rows have no such order
	find       func(attr string) (Finder, bool)
	may        func(any) bool // whether a row may satisfy the filter; nil: each row may
}

// Narrowed returns l for a list whose filter only rows satisfy for which may is true. It is for
// conditions that are cheaper to check than to compute the entry of a row. A nil may changes nothing.
func (l Listing) Narrowed(may func(row any) bool) Listing {
	l.may = may
	return l
}

// Finder looks up a row by its unique attribute a. It returns the only row that can have the value
// v, and reports whether there is one. The caller must still compare the value.
type Finder func(a query.Attr, v query.Value) (any, bool)

// Finders contains a finder for each unique attribute of a list, by Attr.Source.
type Finders map[string]Finder

func (f Finders) find(attr string) (Finder, bool) {
	finder, ok := f[attr]
	return finder, ok
}

// Derived returns the listing of the rows of x, whose results derive computes. byID contains the
// rows in the order of their IDs; it is nil if they have no such order.
func Derived[R, T any](schema query.Schema[T], x Index[R], derive func(R) T, byID *sequence, find Finders) Listing {
	return Listing{
		attributes: schema.Attributes(), rows: x.rows(), byID: byID, find: find.find,
		show: func(r any) query.Entry { return schema.LazyRecord(derive(r.(R))).Entry() },
	}
}

// span returns the smallest span that contains all rows that satisfy where. exact reports
// whether all rows of the span satisfy where.
func (l *Listing) span(where query.Expr) (s span, exact bool) {
	s = l.rows.whole
	conds := impliedConditions(where)
	var (
		attr string
		id   uuid.UUID
	)
	for _, c := range conds {
		if !l.selectsSection(c) {
			continue
		}
		if part := l.rows.within(c.Attr.Source, c.Values[0].ID); attr == "" || part.length() < s.length() {
			s, attr, id = part, c.Attr.Source, c.Values[0].ID
		}
	}
	for _, c := range conds {
		if l.bounds(c) {
			s = l.restrict(s, c)
		}
	}
	return s, isConjunction(where, func(c query.Cond) bool {
		return l.bounds(c) || l.selectsSection(c) && c.Attr.Source == attr && c.Values[0].ID == id
	})
}

// selectsSection reports whether c is true for exactly the rows of one section.
func (l *Listing) selectsSection(c query.Cond) bool {
	return c.Op == query.Eq && len(c.Values) == 1 && slices.Contains(l.rows.sections, c.Attr.Source)
}

// bounds reports whether c is a less-than or greater-than comparison of the first attribute of the
// default order. Such a condition holds for exactly the rows before or after some rank.
func (l *Listing) bounds(c query.Cond) bool {
	lead := l.attributes.Default()[0].Attr
	return c.Op >= query.Lt && c.Op <= query.Gteq && !lead.Nullable &&
		sameOrder(query.Order{Attr: c.Attr}, query.Order{Attr: lead})
}

// restrict returns the rows of s that satisfy c. The caller must have checked that bounds(c) is
// true.
func (l *Listing) restrict(s span, c query.Cond) span {
	holds := l.attributes.Compile(c)
	lower := c.Op == query.Gt || c.Op == query.Gteq
	if lower != l.attributes.Default()[0].Desc {
		s.begin = s.rank(func(r any) bool { return holds(l.show(r)) })
	} else {
		s.end = s.rank(func(r any) bool { return !holds(l.show(r)) })
	}
	return s
}

// sequenceOf returns the rows of s in the order of sort, or nil if no tree has that order.
func (l *Listing) sequenceOf(s span, sort []query.Order) *sequence {
	if slices.EqualFunc(sort, l.attributes.Default(), sameOrder) { // it may be the order of the uuid
		return s.ordered()
	}
	if i := slices.IndexFunc(sort, identifies); i >= 0 {
		sort = sort[:i] // the uuid is unique, so later keys have no effect
	}
	switch {
	case len(sort) == 0 && s.length() == l.rows.whole.length():
		return l.byID
	case slices.EqualFunc(sort, l.attributes.Default(), sameOrder):
		return s.ordered()
	}
	return nil
}

func identifies(o query.Order) bool { return o.Attr.Source == "uuid" && !o.Desc }

func sameOrder(a, b query.Order) bool {
	return a.Attr.Source == b.Attr.Source && a.Desc == b.Desc &&
		a.Attr.Prefix == b.Attr.Prefix && a.Attr.Suffix == b.Attr.Suffix
}
