package ordered

import (
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

// named looks up rows by a condition of where on a unique attribute. They include all rows that
// satisfy where. ok is false if where has no such condition.
func (l *Listing[R, T]) named(where query.Expr) (rows map[R]struct{}, ok bool) {
	for _, c := range impliedConditions(where) {
		get, ok := l.Find[c.Attr.Source]
		if !ok || c.Op != query.Eq {
			continue
		}
		rows := make(map[R]struct{}, len(c.Values))
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

// finders returns the finders for the uuid and the unique texts.
func (t *Table[T]) finders() map[string]Finder[*query.Record[T]] {
	find := map[string]Finder[*query.Record[T]]{
		"uuid": func(_ query.Attr, v query.Value) (*query.Record[T], bool) { return t.ByID.Get(v.ID) },
	}
	for _, u := range t.Unique {
		find[u.Field] = func(a query.Attr, v query.Value) (*query.Record[T], bool) {
			stored := strings.TrimSuffix(strings.TrimPrefix(v.Text, a.Prefix), a.Suffix)
			return t.Holder(u.Field, stored)
		}
	}
	return find
}
