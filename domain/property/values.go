package property

import (
	"cmp"
	"math/big"
	"slices"
	"time"

	"lyceum/domain/decimal"
	"lyceum/domain/query"
)

// Property is a property of a record.
type Property struct {
	Name  string
	Value Value // not null
}

// Values contains the properties of a record that have a value. It is immutable, so copies of a
// record may share it. The zero Values is empty.
type Values struct{ list *[]Property } // sorted by name; nil: empty

// NewValues returns the given properties, whose names must be unique. It omits null values.
func NewValues(properties ...Property) Values {
	list := slices.DeleteFunc(slices.Clone(properties), func(p Property) bool { return p.Value.IsNull() })
	if len(list) == 0 {
		return Values{}
	}
	slices.SortFunc(list, func(a, b Property) int { return cmp.Compare(a.Name, b.Name) })
	return Values{&list}
}

// Size returns the total length of the names and texts, in bytes.
func (v Values) Size() int {
	n := 0
	if v.list != nil {
		for _, p := range *v.list {
			n += len(p.Name) + len(p.Value.text)
		}
	}
	return n
}

// All returns the properties in the order of their names.
func (v Values) All() []Property {
	if v.list == nil {
		return nil
	}
	return slices.Clone(*v.list)
}

// IsEmpty reports whether no property has a value.
func (v Values) IsEmpty() bool { return v.list == nil }

// Equal reports whether v and w have the same properties with the same values.
func (v Values) Equal(w Values) bool { return slices.Equal(v.All(), w.All()) }

// Get returns the value of the property with the given name, or null if it has no value.
func (v Values) Get(name string) Value {
	if v.list == nil {
		return Value{}
	}
	i, ok := slices.BinarySearchFunc(*v.list, name, func(p Property, name string) int { return cmp.Compare(p.Name, name) })
	if !ok {
		return Value{}
	}
	return (*v.list)[i].Value
}

// Text returns the value of a property of the kind Text or OneOf, or "" if it has no value.
func (v Values) Text(name string) string { return v.Get(name).text }

// Number returns the value of a property of the kind Number, or nil if it has no value.
func (v Values) Number(name string) *big.Rat {
	found := v.Get(name)
	if found.form != numberForm {
		return nil
	}
	return decimal.Rat(found.units, Decimals)
}

// Boolean returns the value of a property of the kind Boolean, or false if it has no value.
func (v Values) Boolean(name string) bool { return v.Get(name).truth }

// Date returns the value of a property of the kind Date as midnight UTC, and reports whether it has
// a value.
func (v Values) Date(name string) (time.Time, bool) {
	day := v.Get(name).queried(query.Date)
	return day.From, !day.Null
}

// Without returns v without the property with the given name.
func (v Values) Without(name string) Values {
	if v.Get(name).IsNull() {
		return v
	}
	return NewValues(slices.DeleteFunc(v.All(), func(p Property) bool { return p.Name == name })...)
}

// Queried returns the value of the list attribute a.
func (v Values) Queried(a query.Attr) query.Value { return v.Get(a.Property).queried(a.Kind) }

// Attr returns the list attribute for the property s.
func (s State) Attr() query.Attr {
	return query.PropertyAttr(s.Name, s.Kind.Queried())
}
