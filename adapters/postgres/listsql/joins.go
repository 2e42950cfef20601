package listsql

import (
	"fmt"
	"slices"
	"strings"

	"lyceum/domain/query"
)

// A Join is a table that provides columns of a list, such as the name of a row's person. Each row
// of the list has exactly one row in the table.
type Join struct {
	Table string
	Alias string
	Key   string // of the table
	Ref   string // the column of r that has the key's value
	Also  string // a further condition of the join, which begins with AND; may be empty
}

// Text returns the column of a text in the table whose fold is in the column name_fold.
func (o *Join) Text(name string) Column {
	return Column{Expr: o.Alias + "." + name, Fold: o.Alias + "." + name + "_fold", via: o}
}

// row returns the condition that joins the table to r.
func (o *Join) row() string {
	return fmt.Sprintf("%s.school_id = r.school_id AND %s.%s = r.%s%s", o.Alias, o.Alias, o.Key, o.Ref, o.Also)
}

// joins returns the JOIN clauses of tables.
func joins(others []*Join) string {
	var b strings.Builder
	for _, o := range others {
		fmt.Fprintf(&b, " JOIN %s %s ON %s", o.Table, o.Alias, o.row())
	}
	return b.String()
}

// existsCondition returns a condition on r, evaluated for each row, that is equivalent to the
// condition on the table.
func (o *Join) existsCondition(condition string) string {
	if o == nil {
		return condition
	}
	return fmt.Sprintf("(SELECT %s FROM %s %s WHERE %s)", condition, o.Table, o.Alias, o.row())
}

func (r *builder) noteSorted(o *Join) {
	if o != nil && !slices.Contains(r.sorted, o) {
		r.sorted = append(r.sorted, o)
	}
}

// split splits the condition e: own is about columns of r, joined is about other tables.
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

// joinsOf returns the tables other than r that conditions use.
func (l List[R, T]) joinsOf(conditions query.And) []*Join {
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

// union returns some, followed by the elements of more that are not in some.
func union(some, more []*Join) []*Join {
	all := slices.Clone(some)
	for _, o := range more {
		if !slices.Contains(all, o) {
			all = append(all, o)
		}
	}
	return all
}
