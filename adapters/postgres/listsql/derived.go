package listsql

import (
	"fmt"

	"lyceum/domain/query"
)

// WithDerived adds a column for each derived attribute to columns, which contains the columns of
// the stored attributes. The added column is the definition of its attribute in SQL. Constants of a
// definition become literals in the statement, so that the planner can use them. WithDerived panics
// if it cannot translate a comparison.
func WithDerived(attrs []query.Attr, columns map[string]Column) map[string]Column {
	for _, a := range attrs {
		d := a.Derived
		if d == nil {
			continue
		}
		where := definition(columns, d.Where)
		if a.Kind == query.Boolean {
			columns[a.Name] = Column{Expr: where}
			continue
		}
		c := PlainText(fmt.Sprintf("(CASE WHEN %s THEN '%s' ELSE '%s' END)", where, d.Then, d.Else))
		c.cases = map[string]string{d.Then: where, d.Else: "NOT " + where}
		columns[a.Name] = c
	}
	return columns
}

// definition returns the condition e in SQL, in parentheses. The condition is never null, because
// nullable attributes are only tested for null.
func definition(columns map[string]Column, e query.Expr) string {
	switch e := e.(type) {
	case query.And:
		return definitions(columns, e, " AND ")
	case query.Or:
		return definitions(columns, e, " OR ")
	case query.Cond:
		c, known := columns[e.Attr.Source]
		symbol, compared := symbols[e.Op]
		switch {
		case known && e.Op == query.Null && e.Values[0].Bool:
			return "(" + c.Expr + " IS NULL)"
		case known && e.Op == query.Null:
			return "(" + c.Expr + " IS NOT NULL)"
		case known && compared && e.Attr.Kind == query.Integer && !e.Attr.Nullable:
			return fmt.Sprintf("(%s %s %d)", c.Expr, symbol, e.Values[0].Int)
		}
	}
	panic(fmt.Sprintf("postgres: no column for a derived attribute: %v", e))
}

func definitions(columns map[string]Column, parts []query.Expr, joint string) string {
	texts := make([]string, len(parts))
	for i, e := range parts {
		texts[i] = definition(columns, e)
	}
	return join(texts, joint, "true")
}
