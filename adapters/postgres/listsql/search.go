package listsql

import (
	"fmt"
	"math"
	"slices"
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
// From an edge on all of this is about the rows after it.
func (l List[R, T]) search(d draft) (string, *rendering) {
	r := d.rendering
	near, far, i, p := d.near, d.far, d.rarest, d.query.Page
	order := orderBy(d.keys)
	offset, within := p.Offset(), l.own()+" AND "+r.where(near)
	looked := l.lookedAt(far)
	beside := looked
	if d.start != nil {
		offset, within = 0, within+" AND "+r.after(d.keys, *d.start, d.inclusive).condition()
		beside = union(looked, r.sorted)
	}
	wanted := min(offset+int64(p.Limit())+1, math.MaxInt32)
	seen := min(window+2*wanted, math.MaxInt32)
	tail := "ORDER BY " + order + " LIMIT"
	r.beside = true
	each := r.whereWords(longestFirst(far))
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
		l.Table, joins(r.sorted), within, tail, seen, each, wanted, l.Columns,
		l.from(r, far[i], rest, within, beside), l.beside(r), p.Limit()+1, r.bind(offset),
		joins(union(r.sorted, looked)), order)
	return text, r
}

// whereWords is where for the words of a search on joined tables. The planner
// considers every condition at every order of the joins; those after the first few
// are in a subquery of their own, which it considers once.
func (r *rendering) whereWords(words query.And) string {
	inner, outer := words[:min(len(words), innerWords)], words[min(len(words), innerWords):]
	if len(outer) == 0 {
		return r.where(inner)
	}
	return r.where(inner) + " AND (SELECT " + r.where(outer) + ")"
}

// innerWords is how many words of a search, besides the one that leads it, are
// looked for while rows are read: the longest, which leave few. The others are
// asked of the rows that are left, so that a statement of many words is planned in a
// time that grows with their number alone.
const innerWords = 3

// from selects the rows that satisfy e and rest, in addition to within: those that
// each of the tables of e leads to. The tables looked at are joined to them.
func (l List[R, T]) from(r *rendering, e query.Expr, rest query.And, within string, looked []*Join) string {
	parts, ok := r.byTable(e)
	if !ok {
		return r.fail("no column for a condition of a search")
	}
	rest = longestFirst(rest)
	inner, outer := rest[:min(len(rest), innerWords)], rest[min(len(rest), innerWords):]
	within += " AND " + r.where(inner)
	selects := make([]string, len(parts))
	for i, part := range parts {
		if part.of == nil {
			selects[i] = "SELECT r.* FROM " + l.Table + " r" + joins(looked) + " WHERE " + within + " AND " + part.condition
			continue
		}
		selects[i] = l.ledTo(part.of, part.condition+r.implied(part.of, rest), within, looked)
	}
	found := strings.Join(selects, " UNION ")
	if len(outer) == 0 {
		return found
	}
	return "SELECT r.* FROM (" + found + ") r" + joins(looked) + " WHERE (SELECT " + r.where(outer) + ")"
}

// ledMost is how many rows of another table may lead to rows of the list one by
// one. Of more, the planner does what it thinks best.
const ledMost = 5000

// ledTo selects the rows to which those of the table o lead that satisfy a
// condition. The planner takes these for many, and would read the whole list beside
// them; OFFSET 0 leaves it no choice while they are few.
func (l List[R, T]) ledTo(o *Join, condition, within string, looked []*Join) string {
	besides := slices.DeleteFunc(slices.Clone(looked), func(one *Join) bool { return one == o })
	return fmt.Sprintf(`(
		WITH led AS MATERIALIZED (
			SELECT %[1]s.* FROM %[2]s %[1]s WHERE %[1]s.school_id = $1 AND %[3]s LIMIT %[9]d
		)
		SELECT r.* FROM led %[1]s CROSS JOIN LATERAL (SELECT r.* FROM %[4]s r%[5]s WHERE %[6]s AND %[7]s OFFSET 0) r
		WHERE (SELECT count(*) FROM led) < %[9]d
		UNION ALL
		SELECT r.* FROM %[4]s r%[8]s WHERE %[6]s AND %[1]s.school_id = $1 AND %[3]s AND (SELECT count(*) FROM led) = %[9]d
		)`, o.Alias, o.Table, condition, l.Table, joins(besides), within, o.row(), joins(looked), ledMost+1)
}

// tablePart is what of alternatives is about one table; of is nil for r itself.
type tablePart struct {
	of        *Join
	condition string
}

// byTable parts the alternatives of e by the tables in which they look; false when
// one is more than a condition.
func (r *rendering) byTable(e query.Expr) ([]tablePart, bool) {
	var tables []*Join
	conditions := map[*Join][]string{}
	for _, alternative := range alternatives(e) {
		c, ok := alternative.(query.Cond)
		if !ok {
			return nil, false
		}
		leaf, ok := r.leaf(c.Attr)
		if !ok {
			return nil, false
		}
		if conditions[leaf.via] == nil {
			tables = append(tables, leaf.via)
		}
		conditions[leaf.via] = append(conditions[leaf.via], r.local(c, leaf))
	}
	parts := make([]tablePart, len(tables))
	for i, o := range tables {
		parts[i] = tablePart{o, join(conditions[o], " OR ", "false")}
	}
	return parts, true
}

// implying is how many words of a search are looked for elsewhere: the longest,
// which are rarest, say nearly all.
const implying = 2

// implied returns what the rest of a search, the longest words first, says about the
// table o alone: a word that is in no other table is in this one. The others are asked once. So who has
// both words in their name is found among people, before any row of theirs is
// looked at.
func (r *rendering) implied(o *Join, rest query.And) string {
	var b strings.Builder
	for _, e := range rest[:min(len(rest), implying)] {
		if slices.ContainsFunc(alternatives(e), r.isNear) {
			continue
		}
		parts, _ := r.byTable(e)
		ways := make([]string, len(parts))
		for i, p := range parts {
			if ways[i] = p.condition; p.of != o {
				ways[i] = fmt.Sprintf("EXISTS (SELECT FROM %s %s WHERE %s.school_id = $1 AND %s)", p.of.Table, p.of.Alias, p.of.Alias, p.condition)
			}
		}
		b.WriteString(" AND " + join(ways, " OR ", "false"))
	}
	return b.String()
}

// longestFirst returns the conditions of a search in the order of the length of
// their words.
func longestFirst(conditions query.And) query.And {
	return slices.SortedStableFunc(slices.Values(conditions), func(a, b query.Expr) int { return shortest(b) - shortest(a) })
}

// isNear tells whether e is more than a condition on another table.
func (r *rendering) isNear(e query.Expr) bool {
	c, ok := e.(query.Cond)
	return !ok || r.attrs[c.Attr.Source].via == nil
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
