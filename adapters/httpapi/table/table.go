// Package table writes resources as the rows of a table, such as CSV. The columns depend only on
// the type of the resources, so all pages of a list have the same columns, even a page without
// rows. Start at New.
package table

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/domain/property"
	"lyceum/domain/text"
)

// Table defines the columns of a list.
type Table struct {
	columns    []column
	properties *jsonapi.Member // the attribute "properties"; nil: it has no columns
}

// column is a column of a table.
type column struct {
	name string
	cell func(r jsonapi.Resource, properties map[string]any) string
}

// New returns the table for resources of sample's type; the values of sample do not matter. The
// columns are type and id, one for each attribute and one for each relationship. The attribute
// "properties" has a column for each name in properties instead.
func New(sample jsonapi.Resource, properties []string) Table {
	var t Table
	t.add("type", func(r jsonapi.Resource) any { return r.Type })
	if sample.ID != nil {
		t.add("id", func(r jsonapi.Resource) any { return r.ID })
	}
	for _, m := range jsonapi.Members(sample.Attributes) {
		if m.Name == property.Field {
			t.addProperties(m, properties)
			continue
		}
		t.add(m.Name, func(r jsonapi.Resource) any { return m.Of(r.Attributes) })
	}
	for _, m := range jsonapi.Members(sample.Relationships) {
		t.add(m.Name, func(r jsonapi.Resource) any { return m.Of(r.Relationships) })
	}
	return t
}

func (t *Table) add(name string, value func(r jsonapi.Resource) any) {
	t.columns = append(t.columns, column{name, func(r jsonapi.Resource, _ map[string]any) string { return cell(value(r)) }})
}

func (t *Table) addProperties(m jsonapi.Member, names []string) {
	if len(names) > 0 {
		t.properties = &m
	}
	for _, name := range names {
		t.columns = append(t.columns, column{property.Field + "." + name, func(_ jsonapi.Resource, values map[string]any) string {
			return cell(values[name])
		}})
	}
}

// Select returns t with only the columns type and id and those for which keep returns true. For the
// column of a property, keep gets the name of the attribute "properties".
func (t Table) Select(keep func(name string) bool) Table {
	t.columns = slices.DeleteFunc(slices.Clone(t.columns), func(c column) bool {
		name := c.name
		if strings.HasPrefix(name, property.Field+".") {
			name = property.Field
		}
		return name != "type" && name != "id" && !keep(name)
	})
	return t
}

// Head returns the names of the columns.
func (t Table) Head() []string {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = c.name
	}
	return names
}

// Row returns the cells of a resource, in the order of Head. Texts that a spreadsheet could run as
// formulas are escaped.
func (t Table) Row(r jsonapi.Resource) ([]string, error) {
	var values map[string]any
	if t.properties != nil {
		if raw, ok := t.properties.Of(r.Attributes).(json.RawMessage); ok && len(raw) > 0 {
			if err := decode(raw, &values); err != nil {
				return nil, fmt.Errorf("read %s: %w", property.Field, err)
			}
		}
	}
	cells := make([]string, len(t.columns))
	for i, c := range t.columns {
		cells[i] = c.cell(r, values)
	}
	return cells, nil
}

// decode parses JSON into a value and keeps numbers as they are written.
func decode(text []byte, into any) error {
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	return d.Decode(into)
}

// cell returns the text of a value; empty for null.
func cell(v any) string {
	if p := reflect.ValueOf(v); p.Kind() == reflect.Pointer {
		if p.IsNil() {
			return ""
		}
		v = p.Elem().Interface()
	}
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return text.GuardFormula(v)
	case []string:
		return text.GuardFormula(strings.Join(v, ","))
	case jsonapi.ToOne:
		return v.Data.ID
	case jsonapi.ToMany:
		ids := make([]string, len(v.Data))
		for i, d := range v.Data {
			ids[i] = d.ID
		}
		return strings.Join(ids, ",")
	}
	return fmt.Sprint(v) // a number or a truth value
}
