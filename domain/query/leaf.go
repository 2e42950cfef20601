package query

import (
	"strings"

	"lyceum/domain/fault"
)

// leaf is a condition and its place in the tree.
type leaf struct {
	steps []step
	merge string // conditions of one group that share it are one; "" stands alone
	cond  Cond
}

// buildLeaf checks one term against the grammar and the schema.
func buildLeaf[T any](s Schema[T], t Term) (leaf, error) {
	p, err := parsePath(t.Path)
	if err != nil {
		return leaf{}, fault.Parameterf(t.Param, "%s", err)
	}
	f, ok := s.lookup(p.attr)
	if !ok || f.hidden {
		return leaf{}, fault.Parameterf(t.Param, "there is no attribute %.60q; there are %s",
			p.attr, strings.Join(s.Names(), ", "))
	}
	pred, ok := findPredicate(f.attr.Kind, p.predicate)
	if !ok {
		return leaf{}, fault.Parameterf(t.Param, "%s has no predicate %.60q; it has %s",
			f.attr.Name, p.predicate, strings.Join(predicateNames(f.attr.Kind), ", "))
	}
	value, err := parseOperand(f.attr.Kind, pred.op, t.Value)
	if err != nil {
		return leaf{}, fault.Parameterf(t.Param, "%.60q is not %s", t.Value, err)
	}
	l := leaf{steps: p.steps, cond: Cond{Attr: f.attr, Op: pred.op, Values: []Value{value}}}
	if p.list || pred.set {
		l.merge = f.attr.Name + " " + pred.name
	}
	return l, nil
}
