package listsql

import (
	"fmt"
	"strings"

	"github.com/lib/pq"
	"lyceum/domain/property"
	"lyceum/domain/query"
)

// property returns the column of an attribute that is a property: a member of the columns
// properties and property_folds of r. Its name comes from a definition of the school and is quoted.
// No expression fails for a value of another kind, because another school can define a property of
// another kind with the same name.
func (r *builder) property(a query.Attr) Column {
	r.customPlan = true
	name := pq.QuoteLiteral(a.Property)
	fold := fmt.Sprintf(`((r.property_folds ->> %s) COLLATE "C")`, name)
	switch a.Kind {
	case query.Number:
		return Column{Expr: scalar(name, "number", "numeric")}
	case query.Boolean:
		return Column{Expr: scalar(name, "boolean", "boolean")}
	case query.Date: // these texts have the same length and the same order as the days
		return Column{Expr: fold}
	}
	return Column{Expr: fmt.Sprintf("(r.properties ->> %s)", name), Fold: fold}
}

func scalar(name, is, as string) string {
	return fmt.Sprintf("(CASE jsonb_typeof(r.properties -> %[1]s) WHEN '%[2]s' THEN (r.properties -> %[1]s)::%[3]s END)", name, is, as)
}

// compareProperty returns the comparison of a property with one value for Eq and NotEq. The
// comparison is a containment (@>), for which an index exists.
func (l predicate) compareProperty(op query.Op, v query.Value) string {
	var value property.Value
	switch l.attr.Kind {
	case query.Number:
		n, ok := property.ExactNumber(v.Num)
		if !ok { // no property has this value
			return l.never(op)
		}
		value = n
	case query.Boolean:
		value = property.BooleanValue(v.Bool)
	case query.Date:
		value = property.TextValue(day(v.From))
	default:
		if value = property.TextValue(v.Text); value.IsNull() {
			return l.never(op)
		}
	}
	object := property.NewValues(property.Property{Name: l.attr.Property, Value: value}).JSON()
	contains := fmt.Sprintf("r.properties @> %s::jsonb", l.r.bind(object))
	if op == query.NotEq {
		return "NOT (" + contains + ")"
	}
	return contains
}

// never returns the condition for a comparison with a value that no record has.
func (l predicate) never(op query.Op) string {
	if op == query.NotEq {
		return l.isNotNull()
	}
	return "false"
}

// withoutProperties returns the list without the values of the column properties and without the
// names of the defined properties.
func (l *Definition) withoutProperties() *Definition {
	narrow := *l
	if l.Defined != "" {
		narrow.Columns = strings.NewReplacer("r.properties", "NULL::jsonb AS properties", l.Defined, "NULL::text[] AS defined").Replace(l.Columns)
	}
	if l.visible != nil {
		narrow.visible = l.visible.withoutProperties()
	}
	return &narrow
}
