package memory

import (
	"strings"

	"github.com/google/uuid"
	"lyceum/domain/query"
	"lyceum/domain/text"
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

// consists tells whether where is nothing but conditions all of which must hold
// and for each of which is holds.
func consists(where query.Expr, is func(query.Cond) bool) bool {
	switch e := where.(type) {
	case nil:
		return true
	case query.And:
		for _, part := range e {
			if !consists(part, is) {
				return false
			}
		}
		return true
	case query.Cond:
		return is(e)
	}
	return false
}

// named returns the rows among which all that satisfy where are, when it names
// them: when a necessary condition is on an attribute by which rows are found.
// Otherwise ok is false.
func (l listing[R, T]) named(where query.Expr) (rows map[R]struct{}, ok bool) {
	for _, c := range necessary(where) {
		get, ok := l.find[c.Attr.Source]
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

// idsIn returns the ids of which the id of a row is made, nil when key is no
// such id.
func idsIn(key string) []uuid.UUID {
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

// finders returns how to get a row by its uuid and by its unique texts.
func (t *table[T]) finders() map[string]finder[*query.Record[T]] {
	find := map[string]finder[*query.Record[T]]{
		"uuid": func(_ query.Attr, v query.Value) (*query.Record[T], bool) { return t.byID.get(v.ID) },
	}
	for _, u := range t.unique {
		find[u.field] = func(a query.Attr, v query.Value) (*query.Record[T], bool) {
			stored := strings.TrimSuffix(strings.TrimPrefix(v.Text, a.Prefix), a.Suffix)
			return t.holder(u.field, stored)
		}
	}
	return find
}
