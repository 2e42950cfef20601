package listsql

import (
	"fmt"
	"math/big"
	"time"

	"github.com/lib/pq"
	"lyceum/domain/query"
)

// A predicate compares an attribute in a condition.
type predicate struct {
	r    *builder
	attr query.Attr
	Column
}

// symbols contains the SQL operators of the comparisons of package query.
var symbols = map[query.Op]string{
	query.Eq: "=", query.NotEq: "<>",
	query.Lt: "<", query.Lteq: "<=", query.Gt: ">", query.Gteq: ">=",
}

// predicate returns the predicate of a and reports whether the list has a column for a.
func (r *builder) predicate(a query.Attr) (predicate, bool) {
	if a.Property != "" {
		return predicate{r: r, attr: a, Column: r.property(a)}, true
	}
	c, ok := r.attrs[a.Source]
	return predicate{r: r, attr: a, Column: c}, ok
}

// compare returns the comparison of the attribute with one value.
func (l predicate) compare(op query.Op, v query.Value) string {
	if l.attr.Property != "" && (op == query.Eq || op == query.NotEq) {
		return l.compareProperty(op, v)
	}
	switch l.attr.Kind {
	case query.Text, query.Token:
		return l.compareText(op, v)
	case query.Boolean:
		return l.compareBool(op, v)
	case query.Date, query.Timestamp:
		return l.compareTime(op, v)
	case query.UUID:
		return l.compareWith(op, v.ID, "uuid")
	case query.UUIDs:
		return l.compareSet(op, []query.Value{v})
	case query.Integer:
		return l.compareWith(op, v.Int, "bigint")
	case query.Number:
		if l.scaledInt != nil {
			return l.compareUnits(op, v.Num)
		}
		return l.compareWith(op, exact(v.Num), "numeric")
	}
	return l.r.fail("no kind %d", l.attr.Kind)
}

// compareWith returns the comparison with v, converted to the given SQL type.
func (l predicate) compareWith(op query.Op, v any, as string) string {
	symbol, ok := symbols[op]
	if !ok {
		return l.r.fail("%s has no predicate %d", l.attr.Name, op)
	}
	l.r.customPlan = l.r.customPlan || l.attr.Kind != query.UUID || op != query.Eq
	return fmt.Sprintf("%s %s %s::%s", l.Expr, symbol, l.r.bind(v), as)
}

// compareBool returns the comparison with a boolean. It binds no parameter, so that the planner
// knows the value.
func (l predicate) compareBool(op query.Op, v query.Value) string {
	switch {
	case op == query.Eq && v.Bool, op == query.NotEq && !v.Bool:
		return l.Expr
	case op == query.Eq, op == query.NotEq:
		return "NOT " + l.Expr
	}
	return l.r.fail("%s has no predicate %d", l.attr.Name, op)
}

// compareTime returns the comparison with the period from v.From up to, but not including, v.To.
func (l predicate) compareTime(op query.Op, v query.Value) string {
	l.r.customPlan = true
	at := func(symbol string, to bool) string {
		t := v.From
		if to {
			t = v.To
		}
		if l.attr.Property != "" {
			return fmt.Sprintf("%s %s %s::text", l.Expr, symbol, l.r.bind(day(t)))
		}
		if l.attr.Kind == query.Date {
			return fmt.Sprintf("%s %s %s::date", l.Expr, symbol, l.r.bind(date(t)))
		}
		return fmt.Sprintf("%s %s %s::timestamptz", l.Expr, symbol, l.r.bind(t))
	}
	switch op {
	case query.Eq:
		return "(" + at(">=", false) + " AND " + at("<", true) + ")"
	case query.NotEq:
		return "(" + at("<", false) + " OR " + at(">=", true) + ")"
	case query.Lt:
		return at("<", false)
	case query.Lteq:
		return at("<", true)
	case query.Gt:
		return at(">=", true)
	case query.Gteq:
		return at(">=", false)
	}
	return l.r.fail("%s has no predicate %d", l.attr.Name, op)
}

// among returns the condition that the attribute equals one of values (Eq) or none of them (NotEq),
// and reports whether the kind of the attribute supports it.
func (l predicate) among(op query.Op, values []query.Value) (string, bool) {
	if l.attr.Property != "" {
		return "", false
	}
	var bound any
	var as string
	switch l.attr.Kind {
	case query.Text, query.Token:
		return l.amongTexts(op, values), true
	case query.UUIDs:
		return l.compareSet(op, values), true
	case query.UUID:
		bound, as = idOperands(values), "uuid[]"
	case query.Integer:
		ints := make([]int64, len(values))
		for i, v := range values {
			ints[i] = v.Int
		}
		bound, as = pq.Array(ints), "bigint[]"
	default:
		return "", false
	}
	if op == query.Eq {
		return fmt.Sprintf("%s = ANY (%s::%s)", l.Expr, l.r.bind(bound), as), true
	}
	return fmt.Sprintf("%s <> ALL (%s::%s)", l.Expr, l.r.bind(bound), as), true
}

func idOperands(values []query.Value) any {
	ids := make([]string, len(values))
	for i, v := range values {
		ids[i] = v.ID.String()
	}
	return pq.Array(ids)
}

// date returns the UTC day of t as text. The year 0 of Go is the year 1 BC in SQL.
func date(t time.Time) string {
	t = t.UTC()
	if year := t.Year(); year <= 0 {
		return fmt.Sprintf("%04d-%s BC", 1-year, t.Format("01-02"))
	}
	return t.Format(time.DateOnly)
}

// day returns the UTC day of t in the form in which a property stores it. For a year after 9999, it
// returns a text that sorts after all days.
func day(t time.Time) string {
	if t.Year() > 9999 {
		return "~"
	}
	return t.UTC().Format(time.DateOnly)
}

// exact returns n as a decimal text without rounding. n must have a finite decimal expansion.
func exact(n *big.Rat) string {
	digits, _ := n.FloatPrec()
	return n.FloatString(digits)
}

// compareSet returns the condition that the set contains one of values (Eq) or none of them
// (NotEq). The condition applies to the rows of the set, so that the planner can start with the few
// rows that an index finds.
func (l predicate) compareSet(op query.Op, values []query.Value) string {
	if op != query.Eq && op != query.NotEq {
		return l.r.fail("%s has no predicate %d", l.attr.Name, op)
	}
	l.r.customPlan = true // one member may be in all sets, another only in a few
	contains := "EXISTS (SELECT FROM " + l.From + " AND " + l.Expr + " = ANY (" + l.r.bind(idOperands(values)) + "::uuid[]))"
	if op == query.NotEq {
		return "NOT " + contains
	}
	return contains
}

// isNull returns the condition that the attribute has no value. An empty set is null.
func (l predicate) isNull() string {
	if l.From != "" {
		return "NOT " + l.filled()
	}
	return l.Expr + " IS NULL"
}

func (l predicate) isNotNull() string {
	if l.From != "" {
		return l.filled()
	}
	return l.Expr + " IS NOT NULL"
}

// filled returns the condition that the set has members.
func (l predicate) filled() string { return "EXISTS (SELECT FROM " + l.From + ")" }
