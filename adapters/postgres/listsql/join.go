package listsql

import (
	"fmt"
	"slices"
	"strings"

	"lyceum/domain/query"
)

// Join is a table in which some of what a list's rows show stands, such as the
// name of a row's person. Each row of the list has exactly one row there.
type Join struct {
	Table string
	Alias string
	Key   string // of the table
	Ref   string // the column of r that has the key's value
	Also  string // what else the rows have in common; blank, or a condition that begins with AND
}

// Text returns a text column of the table, with its fold beside it.
func (o *Join) Text(name string) Column {
	return Column{Expr: o.Alias + "." + name, Fold: o.Alias + "." + name + "_fold", via: o}
}

// row is the condition that finds the row of r.
func (o *Join) row() string {
	return fmt.Sprintf("%s.school_id = r.school_id AND %s.%s = r.%s%s", o.Alias, o.Alias, o.Key, o.Ref, o.Also)
}

// joins puts tables beside r.
func joins(others []*Join) string {
	var b strings.Builder
	for _, o := range others {
		fmt.Fprintf(&b, " JOIN %s %s ON %s", o.Table, o.Alias, o.row())
	}
	return b.String()
}

// reach turns a condition on the table into one on r, which is asked for each row.
func (o *Join) reach(condition string) string {
	if o == nil {
		return condition
	}
	return fmt.Sprintf("(SELECT %s FROM %s %s WHERE %s)", condition, o.Table, o.Alias, o.row())
}

func (r *rendering) noteSorted(o *Join) {
	if o != nil && !slices.Contains(r.sorted, o) {
		r.sorted = append(r.sorted, o)
	}
}

// split parts the condition e: all of near stands in r, each of far looks
// at another table somewhere.
func (l List[R, T]) split(e query.Expr) (near, far query.And) {
	if e == nil {
		return nil, nil
	}
	parts, ok := e.(query.And)
	if !ok {
		parts = query.And{e}
	}
	for _, part := range parts {
		if inner, ok := part.(query.And); ok {
			n, f := l.split(inner)
			near, far = append(near, n...), append(far, f...)
		} else if l.isFar(part) {
			far = append(far, part)
		} else {
			near = append(near, part)
		}
	}
	return near, far
}

func (l List[R, T]) isFar(e query.Expr) bool {
	switch e := e.(type) {
	case query.And:
		return slices.ContainsFunc(e, l.isFar)
	case query.Or:
		return slices.ContainsFunc(e, l.isFar)
	case query.Cond:
		return l.Attrs[e.Attr.Source].via != nil
	}
	return false
}

// lookedAt returns the tables, beside r, that conditions look at.
func (l List[R, T]) lookedAt(conditions query.And) []*Join {
	var tables []*Join
	for _, o := range l.Joins {
		if slices.ContainsFunc(conditions, func(e query.Expr) bool { return l.looksAt(o, e) }) {
			tables = append(tables, o)
		}
	}
	return tables
}

func (l List[R, T]) looksAt(o *Join, e query.Expr) bool {
	looks := func(e query.Expr) bool { return l.looksAt(o, e) }
	switch e := e.(type) {
	case query.And:
		return slices.ContainsFunc(e, looks)
	case query.Or:
		return slices.ContainsFunc(e, looks)
	case query.Cond:
		return l.Attrs[e.Attr.Source].via == o
	}
	return false
}

// union returns all of some, and those of more that are not among them.
func union(some, more []*Join) []*Join {
	all := slices.Clone(some)
	for _, o := range more {
		if !slices.Contains(all, o) {
			all = append(all, o)
		}
	}
	return all
}
