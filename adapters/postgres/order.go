package postgres

import (
	"strings"

	"lyceum/domain/query"
)

// order returns the sort, which ends with the key: texts by their folds, nulls
// last both ways. Other tables that it names are noted.
func (r *rendering) order(sort []query.Order) string {
	var keys []string
	for _, o := range sort {
		l, ok := r.leaf(o.Attr)
		if !ok {
			return r.fail("no column for the attribute %s", o.Attr.Name)
		}
		if !o.Attr.Kind.Ordered() {
			return r.fail("no order for the attribute %s", o.Attr.Name)
		}
		r.noteSorted(l.via)
		if l.parts != nil {
			keys = append(keys, directed(l.parts, o.Desc)...)
			continue
		}
		key := l.expr
		switch o.Attr.Kind {
		case query.Text:
			key = l.shownFold()
		case query.Token:
			key += ` COLLATE "C"`
		}
		if o.Desc {
			key += " DESC"
			// Only where it can matter: it keeps an index from being read backwards.
			if o.Attr.Nullable {
				key += " NULLS LAST"
			}
		}
		keys = append(keys, key)
	}
	return strings.Join(append(keys, r.key...), ", ")
}

func directed(parts []string, desc bool) []string {
	if !desc {
		return parts
	}
	down := make([]string, len(parts))
	for i, p := range parts {
		down[i] = p + " DESC"
	}
	return down
}
