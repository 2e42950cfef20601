package property

import (
	"strings"

	"lyceum/domain/fault"
	"lyceum/domain/query"
)

// Resource is a type of record that can have properties.
type Resource struct{ name string }

// The resources with properties.
var (
	People  = Resource{"people"}
	Courses = Resource{"courses"}
	Groups  = Resource{"groups"}
	School  = Resource{"school"}
)

// Resources returns all resources with properties.
func Resources() []Resource { return []Resource{People, Courses, Groups, School} }

// ParseResource returns the resource with the given name.
func ParseResource(name string) (Resource, error) {
	return parse("resource", name, Resources())
}

// String returns the resource's name.
func (r Resource) String() string { return r.name }

// Kind is the type of a property's values.
type Kind struct{ name string }

// The kinds of properties.
var (
	Text    = Kind{"text"}
	Number  = Kind{"number"}
	Boolean = Kind{"boolean"}
	Date    = Kind{"date"}
	OneOf   = Kind{"one_of"} // one of the options of the definition
)

// Kinds returns all kinds of properties.
func Kinds() []Kind { return []Kind{Text, Number, Boolean, Date, OneOf} }

// ParseKind returns the kind with the given name.
func ParseKind(name string) (Kind, error) {
	return parse("kind", name, Kinds())
}

// String returns the kind's name.
func (k Kind) String() string { return k.name }

// Queried returns the kind of attribute that lists use to filter and sort by values of kind k.
func (k Kind) Queried() query.Kind {
	switch k {
	case Number:
		return query.Number
	case Boolean:
		return query.Boolean
	case Date:
		return query.Date
	}
	return query.Text
}

// parse returns the element of all with the given name, or a fault on field.
func parse[V interface {
	comparable
	String() string
}](field, name string, all []V) (V, error) {
	names := make([]string, len(all))
	for i, v := range all {
		if names[i] = v.String(); names[i] == name {
			return v, nil
		}
	}
	var none V
	return none, fault.Invalidf(field, "must be one of: %s", strings.Join(names, ", "))
}
