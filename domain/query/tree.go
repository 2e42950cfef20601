package query

// group is a filter tree under construction; the zero group is an empty And.
type group struct {
	or     bool
	parts  []part            // in the order of their first occurrence
	groups map[string]*group // subgroups by combinator or index
	lists  map[string]*Cond  // by placedCond.merge
}

// part is an element of a group: exactly one field is set.
type part struct {
	group *group
	cond  *Cond
}

// at returns the group at the path steps. It creates missing groups.
func (g *group) at(steps []step) *group {
	for _, s := range steps {
		g = g.sub(s.join, s.join == "or")
		if s.index != "" {
			g = g.sub(s.index, false)
		}
	}
	return g
}

// sub returns the subgroup of g with the given key. A combinator and an index never have the same
// key, because an index consists of digits.
func (g *group) sub(key string, or bool) *group {
	if sub, ok := g.groups[key]; ok {
		return sub
	}
	if g.groups == nil {
		g.groups = make(map[string]*group)
	}
	sub := &group{or: or}
	g.groups[key] = sub
	g.parts = append(g.parts, part{group: sub})
	return sub
}

// add adds the condition of l to g, or adds its value to the list that it belongs to. It reports
// whether it added a condition.
func (g *group) add(l placedCond) bool {
	if list, ok := g.lists[l.merge]; ok {
		list.Values = append(list.Values, l.cond.Values...)
		return false
	}
	if l.merge != "" {
		if g.lists == nil {
			g.lists = make(map[string]*Cond)
		}
		g.lists[l.merge] = &l.cond
	}
	g.parts = append(g.parts, part{cond: &l.cond})
	return true
}

func (g *group) exprs() []Expr {
	var exprs []Expr
	for _, p := range g.parts {
		switch {
		case p.cond != nil:
			exprs = append(exprs, *p.cond)
		case p.group.or:
			exprs = append(exprs, collapse(Or(p.group.exprs())))
		default:
			exprs = append(exprs, collapse(And(p.group.exprs())))
		}
	}
	return exprs
}

// collapse returns the only part of a group that has one part, and any other expression unchanged.
func collapse(e Expr) Expr {
	switch e := e.(type) {
	case And:
		if len(e) == 1 {
			return e[0]
		}
	case Or:
		if len(e) == 1 {
			return e[0]
		}
	}
	return e
}
