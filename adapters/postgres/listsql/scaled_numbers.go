package listsql

import (
	"fmt"
	"math"
	"math/big"
	"strconv"

	"github.com/lib/pq"
	"lyceum/domain/query"
)

// Units is a number that is stored as a whole number of small units. Conditions compare the stored
// number, because the index is on that number and not on an expression.
type Units struct {
	Expr  string // the stored number
	ToOne int64  // number of units in 1
	Zero  bool   // whether null means zero
}

// Hundredths returns the column of a number that is stored in hundredths.
func Hundredths(expr string) Column { return InUnits(Units{Expr: expr, ToOne: 100}) }

// PercentOf returns the column of the percentage that part is of whole. It computes the same value
// as decimal.PercentOf, with the same rounding.
func PercentOf(part, whole string) Column {
	return Hundredths("coalesce((2::bigint * " + part + " * 10000 + " + whole + ") / nullif(2::bigint * " + whole + ", 0), 0)")
}

// InUnits returns the column of a number that is stored as u.
func InUnits(u Units) Column {
	expr := u.Expr
	if u.Zero {
		expr = "coalesce(" + expr + ", 0)"
	}
	return Column{Expr: fmt.Sprintf("(%s / %d.0)", expr, u.ToOne), scaledInt: &u}
}

// compareUnits returns the comparison with v. It compares the stored units with the smallest or the
// greatest number of units for which the comparison holds.
func (l predicate) compareUnits(op query.Op, v *big.Rat) string {
	whole := new(big.Rat).Mul(v, new(big.Rat).SetInt64(l.scaledInt.ToOne))
	floor := new(big.Int).Div(whole.Num(), whole.Denom()) // Euclidean division; the divisor is positive
	ceil := new(big.Int).Set(floor)
	if !whole.IsInt() {
		ceil.Add(ceil, big.NewInt(1))
	}
	bound := floor
	switch op {
	case query.Eq, query.NotEq:
		if !whole.IsInt() && op == query.Eq {
			return "false"
		}
		if !whole.IsInt() {
			return l.isNotNull()
		}
	case query.Lt, query.Gteq:
		bound = ceil
	case query.Gt, query.Lteq:
	default:
		return l.r.fail("%s has no predicate %d", l.attr.Name, op)
	}
	l.r.customPlan = true
	text := fmt.Sprintf("%s %s %s::bigint", l.scaledInt.Expr, symbols[op], l.r.bind(clamp(bound)))
	if l.scaledInt.Zero && holds(op, new(big.Rat), v) {
		return "(" + text + " OR " + l.scaledInt.Expr + " IS NULL)"
	}
	return text
}

// clamp returns n or, if it is out of range, the nearest bigint. No stored number of units is close
// to these limits.
func clamp(n *big.Int) int64 {
	switch {
	case n.IsInt64():
		return n.Int64()
	case n.Sign() < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}

// holds reports whether the comparison a op b is true.
func holds(op query.Op, a, b *big.Rat) bool {
	switch c := a.Cmp(b); op {
	case query.Eq:
		return c == 0
	case query.NotEq:
		return c != 0
	case query.Lt:
		return c < 0
	case query.Lteq:
		return c <= 0
	case query.Gt:
		return c > 0
	}
	return a.Cmp(b) >= 0
}

// A ratio is a text of two non-negative whole numbers, part/whole. A condition on a ratio compares
// its two numbers, because the planner has statistics about them.
type ratio struct{ part, whole string }

// RatioText returns the column of the ratio of two columns or expressions.
func RatioText(part, whole string) Column {
	r := &ratio{part, whole}
	c := PlainText(r.text())
	c.ratio = r
	return c
}

// text returns the SQL expression for the text of the ratio.
func (r ratio) text() string { return "(" + r.part + " || '/' || " + r.whole + ")" }

// among returns the condition that the ratio has one of texts. The number of comparisons does not
// depend on the number of texts, because a part can be a subquery.
func (r ratio) among(to *builder, texts []string) string {
	var parts, wholes []int64
	var valid []string
	for _, text := range texts {
		var part, whole int32
		n, err := fmt.Sscanf(text, "%d/%d", &part, &whole)
		if n == 2 && err == nil && strconv.Itoa(int(part))+"/"+strconv.Itoa(int(whole)) == text {
			parts, wholes, valid = append(parts, int64(part)), append(wholes, int64(whole)), append(valid, text)
		}
	}
	if len(valid) == 0 {
		return "false"
	}
	to.customPlan = true // one ratio may match all rows, another ratio none
	if len(valid) == 1 {
		return fmt.Sprintf("(%s = %s::integer AND %s = %s::integer)", r.part, to.bind(parts[0]), r.whole, to.bind(wholes[0]))
	}
	return fmt.Sprintf("(%s = ANY (%s::integer[]) AND %s = ANY (%s::integer[]) AND %s = ANY (%s::text[]))",
		r.part, to.bind(pq.Array(parts)), r.whole, to.bind(pq.Array(wholes)), r.text(), to.bind(pq.Array(valid)))
}
