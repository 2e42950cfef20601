package memory

import (
	"slices"
	"strings"

	"lyceum/domain/query"
)

// necessary returns conditions each of which holds for all rows that satisfy
// where.
func necessary(where query.Expr) []query.Cond {
	switch e := where.(type) {
	case query.And:
		var conds []query.Cond
		for _, part := range e {
			conds = append(conds, necessary(part)...)
		}
		return conds
	case query.Cond:
		return []query.Cond{e}
	}
	return nil
}

// named returns the rows among which all that satisfy where are, when it names
// them: when a necessary condition is on the uuid or on a unique text.
// Otherwise ok is false.
func (t *table[T]) named(where query.Expr) (rows map[*query.Record[T]]struct{}, ok bool) {
	for _, c := range necessary(where) {
		get, ok := t.finder(c.Attr)
		if !ok || c.Op != query.Eq {
			continue
		}
		rows := make(map[*query.Record[T]]struct{}, len(c.Values))
		for _, v := range c.Values {
			if r, ok := get(v); ok {
				rows[r] = struct{}{}
			}
		}
		return rows, true
	}
	return nil, false
}

// finder returns how to get the only row whose attribute a may equal a value.
func (t *table[T]) finder(a query.Attr) (func(query.Value) (*query.Record[T], bool), bool) {
	if a.Source == "uuid" {
		return func(v query.Value) (*query.Record[T], bool) { return t.byID.get(v.ID) }, true
	}
	if slices.ContainsFunc(t.unique, func(u unique[T]) bool { return u.field == a.Source }) {
		return func(v query.Value) (*query.Record[T], bool) {
			stored := strings.TrimSuffix(strings.TrimPrefix(v.Text, a.Prefix), a.Suffix)
			return t.holder(a.Source, stored)
		}, true
	}
	return nil, false
}
