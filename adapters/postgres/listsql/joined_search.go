package listsql

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"lyceum/domain/query"
)

// searchWindow is the number of rows that a search reads first, in addition to twice the
// rows up to the end of the page.
const searchWindow = 3000

// search returns the statement of a query with conditions on other tables. Frequent words (a common
// name, a single letter) are found quickly by reading rows in the order of the list. Rare words are
// found by starting from the other tables and following the indexes of the references to them. The
// planner cannot choose between the two, because it does not know how frequent a value of another
// table is in this list. The statement therefore first reads a window of rows. If the window
// neither fills the page nor contains the whole list, it searches all rows, starting from the
// tables of the most selective condition. Tables are joined to the rows, so that a search for
// several words reads each name only once.
//
// If the page starts at an edge, all of this applies to the rows after the edge.
func (l *Definition) search(d pageQuery) (string, *builder) {
	r := d.builder
	near, far, i, p := d.ownConditions, d.joinConditions, d.mostSelective, d.query.Page
	order := orderBy(d.keys)
	offset, within := p.Offset(), l.own()+" AND "+r.where(near)
	looked := l.joinsOf(far)
	joined := looked
	if d.start != nil {
		offset, within = 0, within+" AND "+r.after(d.keys, *d.start, d.inclusive).condition()
		joined = union(looked, r.sorted)
	}
	wanted := min(offset+int64(p.Limit())+1, math.MaxInt32)
	seen := min(searchWindow+2*wanted, math.MaxInt32)
	tail := "ORDER BY " + order + " LIMIT"
	r.joined = true
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
		l.from(r, far[i], rest, within, joined), l.joinsFor(r), p.Limit()+1, r.bind(offset),
		joins(union(r.sorted, looked)), order)
	return text, r
}

// whereWords is like where, but for the words of a search on joined tables. The planner evaluates
// every condition for every join order, so the words after the first few are in a subquery, which
// is planned once.
func (r *builder) whereWords(words query.And) string {
	inner, outer := words[:min(len(words), innerWords)], words[min(len(words), innerWords):]
	if len(outer) == 0 {
		return r.where(inner)
	}
	return r.where(inner) + " AND (SELECT " + r.where(outer) + ")"
}

// innerWords is the number of words of a search, in addition to its most selective condition, that
// are tested while rows are read. They are the longest words, which leave few rows. The other words
// are tested on the remaining rows, so that the planning time grows only linearly with the number
// of words.
const innerWords = 3

// from returns the statement that selects the rows that satisfy within, e and rest, starting from
// each of the tables in e. It joins the tables in looked to these rows.
func (l *Definition) from(r *builder, e query.Expr, rest query.And, within string, looked []*Join) string {
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
		selects[i] = l.drivenBy(part.of, part.condition+r.impliedConditions(part.of, rest), within, looked)
	}
	found := strings.Join(selects, " UNION ")
	if len(outer) == 0 {
		return found
	}
	return "SELECT r.* FROM (" + found + ") r" + joins(looked) + " WHERE (SELECT " + r.where(outer) + ")"
}

// maxDrivingRows is the maximum number of rows of another table from which rows of the list
// are looked up one by one. For more rows the planner chooses.
const maxDrivingRows = 5000

// drivenBy returns the statement that selects the rows of the list that belong to the rows of the
// table o that satisfy condition. The planner overestimates the number of these rows and would read
// the whole list. If there are at most maxDrivingRows of them, OFFSET 0 makes it look up the rows
// of the list one by one.
func (l *Definition) drivenBy(o *Join, condition, within string, looked []*Join) string {
	besides := slices.DeleteFunc(slices.Clone(looked), func(one *Join) bool { return one == o })
	return fmt.Sprintf(`(
		WITH led AS MATERIALIZED (
			SELECT %[1]s.* FROM %[2]s %[1]s WHERE %[1]s.school_id = $1 AND %[3]s LIMIT %[9]d
		)
		SELECT r.* FROM led %[1]s CROSS JOIN LATERAL (SELECT r.* FROM %[4]s r%[5]s WHERE %[6]s AND %[7]s OFFSET 0) r
		WHERE (SELECT count(*) FROM led) < %[9]d
		UNION ALL
		SELECT r.* FROM %[4]s r%[8]s WHERE %[6]s AND %[1]s.school_id = $1 AND %[3]s AND (SELECT count(*) FROM led) = %[9]d
		)`, o.Alias, o.Table, condition, l.Table, joins(besides), within, o.row(), joins(looked), maxDrivingRows+1)
}

// A tablePart contains those alternatives of a condition that are about one table: of, or r if of
// is nil.
type tablePart struct {
	of        *Join
	condition string
}

// byTable groups the alternatives of e by their tables. The second result is false if an
// alternative is not a single condition on a known attribute.
func (r *builder) byTable(e query.Expr) ([]tablePart, bool) {
	var tables []*Join
	conditions := map[*Join][]string{}
	for _, alternative := range alternatives(e) {
		c, ok := alternative.(query.Cond)
		if !ok {
			return nil, false
		}
		leaf, ok := r.predicate(c.Attr)
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

// impliedWords is the number of words of a search from which impliedConditions derives conditions.
// They are the longest words, which are the most selective.
const impliedWords = 2

// impliedConditions returns the conditions on the table o that follow from rest, the other words of
// a search, longest first: a word that occurs in no row of the other tables must occur in o. The
// statement searches the other tables only once for each word. If two words occur only in the names
// of people, for example, the statement first finds the people whose names contain both words, and
// then reads only their rows.
func (r *builder) impliedConditions(o *Join, rest query.And) string {
	var b strings.Builder
	for _, e := range rest[:min(len(rest), impliedWords)] {
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

// longestFirst returns the conditions of a search, ordered by the length of their shortest words,
// longest first.
func longestFirst(conditions query.And) query.And {
	return slices.SortedStableFunc(slices.Values(conditions), func(a, b query.Expr) int { return shortest(b) - shortest(a) })
}

// isNear reports whether e is anything other than one condition on a joined table.
func (r *builder) isNear(e query.Expr) bool {
	c, ok := e.(query.Cond)
	return !ok || r.attrs[c.Attr.Source].via == nil
}

// mostSelective returns the index of the condition from which a search should start, or -1 if there
// is none. It is the condition with the longest words, because these are the rarest.
func mostSelective(far query.And) int {
	best, length := -1, -1
	for i, e := range far {
		if n := shortest(e); n > length {
			best, length = i, n
		}
	}
	return best
}

// shortest returns the length of the shortest word of a condition, 0 for a condition that nearly
// all rows satisfy, and -1 for a condition that is not a list of alternatives.
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

// alternatives returns the parts of a disjunction, or e itself if e is not a disjunction.
func alternatives(e query.Expr) []query.Expr {
	if or, ok := e.(query.Or); ok {
		return or
	}
	return []query.Expr{e}
}
