package listsql

import (
	"strings"

	"lyceum/domain/query"
)

// A sortKey is one of the expressions that order a list. Nulls come last, unless nullsFirst
// is set.
type sortKey struct {
	expr       string
	desc       bool
	nullable   bool
	nullsFirst bool
}

// keysOf returns the sort keys of sort, followed by the key of the table. Texts are ordered by
// their folds. keysOf adds the tables of the keys, other than r, to r.sorted.
func (r *builder) keysOf(sort []query.Order) []sortKey {
	var keys []sortKey
	for _, o := range sort {
		l, ok := r.predicate(o.Attr)
		if !ok {
			r.fail("no column for the attribute %s", o.Attr.Name)
			return nil
		}
		if !o.Attr.Kind.Ordered() {
			r.fail("no order for the attribute %s", o.Attr.Name)
			return nil
		}
		r.noteSorted(l.via)
		for _, part := range l.parts {
			keys = append(keys, sortKey{expr: part, desc: o.Desc})
		}
		if l.parts != nil {
			continue
		}
		key := sortKey{expr: l.Expr, desc: o.Desc, nullable: o.Attr.Nullable}
		switch o.Attr.Kind {
		case query.Text:
			key.expr = l.shownFold()
		case query.Token:
			key.expr += ` COLLATE "C"`
		}
		keys = append(keys, key)
	}
	for _, k := range r.key {
		keys = append(keys, sortKey{expr: k})
	}
	return keys
}

// reversed returns the keys of the opposite order.
func reversed(keys []sortKey) []sortKey {
	opposite := make([]sortKey, len(keys))
	for i, k := range keys {
		k.desc, k.nullsFirst = !k.desc, k.nullable && !k.nullsFirst
		opposite[i] = k
	}
	return opposite
}

// orderBy returns the ORDER BY clause of keys. It names the position of nulls only for nullable
// keys, and only if it differs from Postgres' rule (last if ascending, first if descending),
// because naming it can prevent the use of an index.
func orderBy(keys []sortKey) string {
	texts := make([]string, len(keys))
	for i, k := range keys {
		texts[i] = k.expr
		if k.desc {
			texts[i] += " DESC"
		}
		switch {
		case !k.nullable || k.desc == k.nullsFirst:
		case k.nullsFirst:
			texts[i] += " NULLS FIRST"
		default:
			texts[i] += " NULLS LAST"
		}
	}
	return strings.Join(texts, ", ")
}
