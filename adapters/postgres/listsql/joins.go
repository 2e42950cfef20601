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
	Key   string // key column of the table
	Ref   string // column of r that contains the key
	Also  string // further condition of the join, which begins with AND; may be empty
}

// Text returns the Column of an attribute whose value is the text column name of the table. The
// fold of the text is in the column with the suffix _fold.
func (o *Join) Text(name string) Column {
	return Column{Expr: o.Alias + "." + name, Fold: o.Alias + "." + name + "_fold", via: o}
}

// row returns the condition that joins the table to r.
func (o *Join) row() string {
	return fmt.Sprintf("%s.school_id = r.school_id AND %s.%s = r.%s%s", o.Alias, o.Alias, o.Key, o.Ref, o.Also)
}

// joins returns the clauses that join tables to r.
func joins(tables []*Join) string {
	var b strings.Builder
	for _, o := range tables {
		fmt.Fprintf(&b, " JOIN %s %s ON %s", o.Table, o.Alias, o.row())
	}
	return b.String()
}

// subquery converts a condition on the table to a condition on r: a subquery that runs for each row
// of r. A nil o stands for r itself; subquery then returns condition unchanged.
func (o *Join) subquery(condition string) string {
	if o == nil {
		return condition
	}
	return fmt.Sprintf("(SELECT %s FROM %s %s WHERE %s)", condition, o.Table, o.Alias, o.row())
}

// noteSorted adds the table o to r.sorted, unless it is nil or already there.
func (r *builder) noteSorted(o *Join) {
	if o != nil && !slices.Contains(r.sorted, o) {
		r.sorted = append(r.sorted, o)
	}
}

// split splits the condition e into near, with the conditions on columns of r, and far, with the
// conditions on columns of other tables.
func (l *Definition) split(e query.Expr) (near, far query.And) {
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

// isFar reports whether e contains a condition on a column of a table other than r.
func (l *Definition) isFar(e query.Expr) bool {
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
func (l *Definition) joinsOf(conditions query.And) []*Join {
	var tables []*Join
	for _, o := range l.Joins {
		if slices.ContainsFunc(conditions, func(e query.Expr) bool { return l.uses(o, e) }) {
			tables = append(tables, o)
		}
	}
	return tables
}

// uses reports whether e contains a condition on a column of the table o.
func (l *Definition) uses(o *Join, e query.Expr) bool {
	usesTable := func(e query.Expr) bool { return l.uses(o, e) }
	switch e := e.(type) {
	case query.And:
		return slices.ContainsFunc(e, usesTable)
	case query.Or:
		return slices.ContainsFunc(e, usesTable)
	case query.Cond:
		return l.Attrs[e.Attr.Source].via == o
	}
	return false
}

// union returns some, followed by those elements of more that are not in some.
func union(some, more []*Join) []*Join {
	all := slices.Clone(some)
	for _, o := range more {
		if !slices.Contains(all, o) {
			all = append(all, o)
		}
	}
	return all
}
