package ordered

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"
	"lyceum/domain/query"
	"lyceum/domain/text"
)

// impliedConditions returns conditions that hold for every row that satisfies where.
func impliedConditions(where query.Expr) []query.Cond {
	switch e := where.(type) {
	case query.And:
		var conds []query.Cond
		for _, part := range e {
			conds = append(conds, impliedConditions(part)...)
		}
		return conds
	case query.Cond:
		return []query.Cond{e}
	}
	return nil
}

// Implied returns the conditions on the given attributes (query.Attr.Source) that hold for every row
// that satisfies where.
func Implied(where query.Expr, attrs ...string) (conds query.And) {
	for _, c := range impliedConditions(where) {
		if slices.Contains(attrs, c.Attr.Source) {
			conds = append(conds, c)
		}
	}
	return conds
}

// isConjunction reports whether where is a conjunction, possibly empty, of conditions c for which
// is(c) is true.
func isConjunction(where query.Expr, is func(query.Cond) bool) bool {
	switch e := where.(type) {
	case nil:
		return true
	case query.And:
		for _, part := range e {
			if !isConjunction(part, is) {
				return false
			}
		}
		return true
	case query.Cond:
		return is(e)
	}
	return false
}

// candidates returns rows that include all rows of s that satisfy where, and their number. ok is
// false if they are not far fewer than the rows of s.
func (l *Listing) candidates(s span, where query.Expr) (rows iter.Seq[any], n int, ok bool) {
	if named, ok := l.named(where); ok {
		return maps.Keys(named), len(named), true
	}
	n = s.length() / 8
	for _, c := range impliedConditions(where) {
		if c.Op != query.Eq || !slices.Contains(l.rows.sections, c.Attr.Source) {
			continue
		}
		if parts, length := l.sectionsOf(c); length <= n {
			rows, n, ok = parts, length, true
		}
	}
	return rows, n, ok
}

// sectionsOf returns the rows that satisfy c, which compares the attribute of a section with
// values, and their number.
func (l *Listing) sectionsOf(c query.Cond) (iter.Seq[any], int) {
	spans, n := map[uuid.UUID]span{}, 0
	for _, v := range c.Values {
		if _, ok := spans[v.ID]; !ok {
			spans[v.ID] = l.rows.within(c.Attr.Source, v.ID)
			n += spans[v.ID].length()
		}
	}
	return func(yield func(any) bool) {
		for s := range maps.Values(spans) {
			for r := range s.from(0) {
				if !yield(r) {
					return
				}
			}
		}
	}, n
}

// named looks up rows by a condition of where on a unique attribute. They include all rows that
// satisfy where. ok is false if where has no such condition.
func (l *Listing) named(where query.Expr) (rows map[any]struct{}, ok bool) {
	for _, c := range impliedConditions(where) {
		get, ok := l.find(c.Attr.Source)
		if !ok || c.Op != query.Eq {
			continue
		}
		rows := make(map[any]struct{}, len(c.Values))
		for _, v := range c.Values {
			if r, ok := get(c.Attr, v); ok {
				rows[r] = struct{}{}
			}
		}
		return rows, true
	}
	return nil, false
}

// IDsIn returns the ids in a composite id such as "<uuid>:<uuid>", or nil if key is not a composite
// id.
func IDsIn(key string) []uuid.UUID {
	var ids []uuid.UUID
	for word := range strings.SplitSeq(key, ":") {
		id, ok := text.UUID(word)
		if !ok {
			return nil
		}
		ids = append(ids, id)
	}
	return ids
}

// finder returns the finder for an attribute that is the uuid or a unique text.
func (t *Table[T]) finder(attr string) (Finder, bool) {
	if attr == "uuid" {
		return func(_ query.Attr, v query.Value) (any, bool) { return t.ByID.Get(v.ID) }, true
	}
	if !slices.ContainsFunc(t.Unique, func(u Unique[T]) bool { return u.Field == attr }) {
		return nil, false
	}
	return func(a query.Attr, v query.Value) (any, bool) {
		return t.Holder(attr, strings.TrimSuffix(strings.TrimPrefix(v.Text, a.Prefix), a.Suffix))
	}, true
}
