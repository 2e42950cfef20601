package listsql

import "lyceum/domain/query"

// compareSet returns whether the set contains one of values (Eq) or none of them
// (NotEq). The condition is one on the rows of the set, so that the planner may
// begin with the few that an index finds.
func (l leaf) compareSet(op query.Op, values []query.Value) string {
	if op != query.Eq && op != query.NotEq {
		return l.r.fail("%s has no predicate %d", l.attr.Name, op)
	}
	l.r.varied = true // one member may stand in all sets, another in few
	contains := "EXISTS (SELECT FROM " + l.From + " AND " + l.Expr + " = ANY (" + l.r.bind(idOperands(values)) + "::uuid[]))"
	if op == query.NotEq {
		return "NOT " + contains
	}
	return contains
}

// isNull and isNotNull are the conditions that the attribute has no value, and
// that it has one. A set that is empty is null.
func (l leaf) isNull() string {
	if l.From != "" {
		return "NOT " + l.filled()
	}
	return l.Expr + " IS NULL"
}

func (l leaf) isNotNull() string {
	if l.From != "" {
		return l.filled()
	}
	return l.Expr + " IS NOT NULL"
}

func (l leaf) filled() string { return "EXISTS (SELECT FROM " + l.From + ")" }
