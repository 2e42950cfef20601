package postgres

import (
	"fmt"
	"math"
	"strings"

	"lyceum/domain/query"
)

// window is how many rows, beside twice the rows of the page and of those before
// it, a search looks at before it goes another way.
const window = 3000

// search returns the statement of a query some of whose conditions, far, are on
// other tables. What is common (a name that many have, a single letter) is found
// soon by looking at one row after the other in the order of the list; what is
// rare is found from the other tables, by the indexes on the references to them.
// The planner cannot choose, since it does not know how often what it finds there
// occurs here. So a window of the first rows is tried, and only when it neither
// fills the page nor is the whole list, all rows are searched from the tables of
// one of the conditions, the i-th. The tables looked at stand beside the rows, so
// that several words ask for the name of a row once.
//
// From a remembered place all of this is about the rows behind it.
func (l listing[R, T]) search(d draft, began *bookmark, follow bool) (string, *rendering) {
	r := &rendering{attrs: d.attrs, key: d.key}
	r.bind(d.args[0])
	near, far, i, p := d.near, d.far, d.rarest, d.query.Page
	keys := r.keysOf(d.sort)
	order, columns := orderBy(keys), l.columns
	if follow {
		columns += shown(keys)
	}
	offset, within := p.Offset(), "r.school_id = $1 AND "+r.where(near)
	looked := l.lookedAt(far)
	beside := looked
	if began != nil {
		offset, within = 0, within+" AND "+r.behind(keys, began.end).condition()
		beside = union(looked, r.sorted)
	}
	wanted := min(offset+int64(p.Limit())+1, math.MaxInt32)
	seen := min(window+2*wanted, math.MaxInt32)
	tail := "ORDER BY " + order + " LIMIT"
	r.beside = true
	each := r.where(far)
	rest := append(append(query.And{}, far[:i]...), far[i+1:]...)
	text := fmt.Sprintf(`
		WITH near AS MATERIALIZED (SELECT r.* FROM %[1]s r%[2]s WHERE %[3]s %[4]s %[5]d),
		hits AS MATERIALIZED (SELECT r.* FROM near r%[13]s WHERE %[6]s %[4]s %[7]d),
		enough AS MATERIALIZED (
			SELECT (SELECT count(*) FROM near) < %[5]d OR (SELECT count(*) FROM hits) = %[7]d AS yes
		)
		SELECT %[8]s FROM (
			SELECT r.* FROM (
				SELECT r.* FROM hits r WHERE (SELECT yes FROM enough)
				UNION ALL
				SELECT r.* FROM (
					SELECT r.* FROM (%[9]s) r%[2]s %[4]s %[7]d
				) r WHERE NOT (SELECT yes FROM enough)
			) r%[2]s %[4]s %[11]d OFFSET %[12]s
		) r%[10]s ORDER BY %[14]s`,
		l.table, joins(r.sorted), within, tail, seen, each, wanted, columns,
		l.from(r, far[i], within+" AND "+r.where(rest), beside), joins(l.others), p.Limit()+1, r.bind(offset),
		joins(union(r.sorted, looked)), order)
	return text, r
}

// from selects the rows that satisfy e, beside within: those that each
// of its tables leads to. The tables looked at stand beside them.
func (l listing[R, T]) from(r *rendering, e query.Expr, within string, looked []*other) string {
	var tables []*other // nil is r itself
	conditions := map[*other][]string{}
	for _, part := range alternatives(e) {
		c := part.(query.Cond)
		leaf, ok := r.leaf(c.Attr)
		if !ok {
			return r.fail("no column for the attribute %s", c.Attr.Name)
		}
		if conditions[leaf.via] == nil {
			tables = append(tables, leaf.via)
		}
		conditions[leaf.via] = append(conditions[leaf.via], r.local(c, leaf))
	}
	selects := make([]string, len(tables))
	for i, o := range tables {
		of := ""
		if o != nil {
			of = " AND " + o.alias + ".school_id = $1"
		}
		selects[i] = fmt.Sprintf("SELECT r.* FROM %s r%s WHERE %s%s AND %s",
			l.table, joins(looked), within, of, join(conditions[o], " OR ", "false"))
	}
	return strings.Join(selects, " UNION ")
}

// rarest returns which of the conditions a search should start from: the one
// whose words are longest, since these are rarest; -1 when none can be.
func rarest(far query.And) int {
	best, length := -1, -1
	for i, e := range far {
		if n := shortest(e); n > length {
			best, length = i, n
		}
	}
	return best
}

// shortest returns the length of the shortest word of a condition, 0 for one that
// nearly everything satisfies and -1 for one that is more than alternatives.
func shortest(e query.Expr) int {
	least := math.MaxInt
	for _, part := range alternatives(e) {
		c, ok := part.(query.Cond)
		if !ok {
			return -1
		}
		for _, v := range c.Values {
			n := len(v.Fold)
			if negative(c.Op) || c.Op == query.Null {
				n = 0
			}
			least = min(least, n)
		}
	}
	return least
}

// alternatives returns the parts of which one must hold.
func alternatives(e query.Expr) []query.Expr {
	if or, ok := e.(query.Or); ok {
		return or
	}
	return []query.Expr{e}
}
