package lists

import (
	"slices"

	"lyceum/domain/query"
)

// shrink simplifies a failing query as long as it still fails, so that the failure is easier to
// read.
func shrink(q query.Query, fails func(query.Query) bool) query.Query {
	for {
		smaller := slices.IndexFunc(simpler(q), fails)
		if smaller < 0 {
			return q
		}
		q = simpler(q)[smaller]
	}
}

// simpler returns the queries that are simpler than q by one element: without one condition, sort
// key or operand, or without paging.
func simpler(q query.Query) []query.Query {
	var all []query.Query
	for _, where := range simplerExprs(q.Where) {
		all = append(all, query.Query{Where: where, Sort: q.Sort, Page: q.Page})
	}
	for i := range q.Sort {
		sort := slices.Delete(slices.Clone(q.Sort), i, i+1)
		all = append(all, query.Query{Where: q.Where, Sort: sort, Page: q.Page})
	}
	if q.Page != query.AllRows() {
		all = append(all, query.Query{Where: q.Where, Sort: q.Sort, Page: query.AllRows()})
	}
	return all
}

func simplerExprs(e query.Expr) []query.Expr {
	switch e := e.(type) {
	case query.And:
		return simplerGroup(e, func(parts []query.Expr) query.Expr { return query.And(parts) })
	case query.Or:
		return simplerGroup(e, func(parts []query.Expr) query.Expr { return query.Or(parts) })
	case query.Cond:
		all := []query.Expr{nil}
		for i := range e.Values {
			if len(e.Values) > 1 {
				all = append(all, query.Cond{Attr: e.Attr, Op: e.Op, Values: slices.Delete(slices.Clone(e.Values), i, i+1)})
			}
		}
		return all
	}
	return nil
}

// simplerGroup returns the simpler forms of a group: no condition, each part alone, the group
// without one part, and the group with one part simplified. The function group makes a group of
// parts.
func simplerGroup(parts []query.Expr, group func([]query.Expr) query.Expr) []query.Expr {
	all := []query.Expr{nil}
	all = append(all, parts...)
	for i, part := range parts {
		all = append(all, group(slices.Delete(slices.Clone(parts), i, i+1)))
		for _, smaller := range simplerExprs(part) {
			if smaller != nil {
				changed := slices.Clone(parts)
				changed[i] = smaller
				all = append(all, group(changed))
			}
		}
	}
	return all
}
