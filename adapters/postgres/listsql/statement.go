package listsql

import (
	"fmt"
	"slices"
	"strings"

	"lyceum/domain/query"
)

// SQL returns the SQL statement for q in a school, so that tests can explain it. If keys are given,
// the page begins after the row that has these sort keys or, if the cursor of q is backward, ends
// before it.
func (l *Definition) SQL(q query.Query, school any, keys ...string) Statement {
	backward := q.Cursor != nil && q.Cursor.Backward
	if keys != nil {
		q.Cursor = nil
	}
	if l.asksForRemovals(q) {
		l = l.reporting()
	}
	d := l.newPageQuery(q, school)
	if keys != nil {
		if backward {
			d.keys = reversed(d.keys)
		}
		d.start = &Edge{}
		for _, k := range keys {
			*d.start = append(*d.start, k)
		}
	}
	text, r := l.statement(d)
	return Statement{text, r.args, r.customPlan, r.err}
}

// statement returns the statement of a page.
func (l *Definition) statement(d pageQuery) (string, *builder) {
	text, r := l.compose(d)
	if r.customPlan && l.Calls != nil {
		text = l.Calls.Replace(text)
	}
	return text, r
}

// compose returns the statement of a page with all subqueries. It selects one row more than the
// page contains. For a numbered page after the first, an inner query that needs only an index
// selects the keys; columns are read, and other tables joined, only for the selected rows.
func (l *Definition) compose(d pageQuery) (string, *builder) {
	if d.mostSelective >= 0 {
		return l.search(d)
	}
	order, page, r := orderBy(d.keys), d.query.Page, d.builder
	where := r.where(append(slices.Clip(d.ownConditions), d.joinConditions...))
	from := fmt.Sprintf("%s r%s WHERE %s AND %s", l.Table, joins(r.sorted), l.own(), where)
	end := fmt.Sprintf(" ORDER BY %s LIMIT %d", order, page.Limit()+1)
	switch {
	case d.start != nil:
		return fmt.Sprintf("SELECT %s FROM (%s) r%s ORDER BY %s",
			l.Columns, ranges(r.after(d.keys, *d.start, d.inclusive), from, end, joins(r.sorted)), l.joinsFor(r), order), r
	case page.Offset() > 0:
		key := strings.Join(r.key, ", ")
		return fmt.Sprintf(`SELECT %s FROM (SELECT %s FROM %s ORDER BY %s LIMIT %d OFFSET %s) page
			JOIN %s r ON r.school_id = $1 AND %s%s ORDER BY %[4]s`,
			l.Columns, key, from, order, page.Limit()+1, r.bind(page.Offset()), l.Table, match(r.key, "page"), l.joinsFor(r)), r
	case len(l.ShownJoins) > 0:
		return fmt.Sprintf("SELECT %s FROM (SELECT r.* FROM %s%s) r%s ORDER BY %s", l.Columns, from, end, l.joinsFor(r), order), r
	}
	return "SELECT " + l.Columns + " FROM " + from + end, r
}

// joinsFor returns the JOIN clauses for the tables used by l.Columns and by the order of the page.
func (l *Definition) joinsFor(r *builder) string { return joins(union(l.ShownJoins, r.sorted)) }

// ranges returns the statement that selects the first rows of b. It reads each range of b from its
// start.
func ranges(b beyondEdge, from, end, sorted string) string {
	texts := make([]string, len(b.ranges))
	for i, condition := range b.ranges {
		texts[i] = "SELECT r.* FROM " + from + " AND " + condition + end
	}
	switch len(texts) {
	case 0:
		return "SELECT r.* FROM " + from + " AND false"
	case 1:
		return texts[0]
	}
	return "SELECT r.* FROM ((" + strings.Join(texts, ") UNION ALL (") + ")) r" + sorted + end
}

func (l *Definition) keys() []string {
	if l.Key == nil {
		return []string{"r.id"}
	}
	return l.Key
}

// own returns the condition for the rows of the list.
func (l *Definition) own() string {
	if l.Only != "" {
		return "r.school_id = $1 AND " + l.Only + l.condition
	}
	return "r.school_id = $1" + l.condition
}

// match returns the condition that key columns of r equal the key columns of another table.
func match(key []string, table string) string {
	texts := make([]string, len(key))
	for i, k := range key {
		texts[i] = k + " = " + table + strings.TrimPrefix(k, "r")
	}
	return strings.Join(texts, " AND ")
}
