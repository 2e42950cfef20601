package query

import (
	"slices"
	"strings"

	"lyceum/domain/fault"
)

// placedCond is a condition and its position in the tree.
type placedCond struct {
	steps []step
	merge string // conditions of one group with the same key are merged; "": not merged
	cond  Cond
}

// buildCondition parses one term by the grammar and the schema.
func buildCondition(s *Attributes, t Term) (placedCond, error) {
	p, err := parsePath(t.Path)
	if err != nil {
		return placedCond{}, fault.Malformedf(t.Param, "%s", err)
	}
	f, ok := s.lookup(p.attr)
	if slices.Contains(s.closed, p.attr) {
		return placedCond{}, fault.Malformedf(t.Param, "%s is not filterable", p.attr)
	}
	if !ok || f.hidden {
		return placedCond{}, fault.Malformedf(t.Param, "unknown attribute %.60q; known attributes: %s",
			p.attr, strings.Join(s.names(), ", "))
	}
	pred, ok := findPredicate(f.attr.Kind, p.predicate)
	if !ok {
		return placedCond{}, fault.Malformedf(t.Param, "%s does not support the predicate %.60q; supported: %s",
			f.attr.Name, p.predicate, strings.Join(predicateNames(f.attr.Kind), ", "))
	}
	value, err := parseOperand(f.attr.Kind, pred.op, t.Value)
	if err != nil {
		return placedCond{}, fault.Malformedf(t.Param, "%.60q is not %s", t.Value, err)
	}
	l := placedCond{steps: p.steps, cond: Cond{Attr: f.attr, Op: pred.op, Values: []Value{value}}}
	if p.list || pred.set {
		l.merge = f.attr.Name + " " + pred.name
	}
	return l, nil
}
