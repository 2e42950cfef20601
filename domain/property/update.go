package property

import (
	"maps"
	"slices"

	"lyceum/domain/fault"
)

// MaxBytes is the maximum size of the properties of one record as JSON, so that a page of many
// records has a bounded size.
const MaxBytes = 16 << 10

// Field is the field of properties in faults.
const Field = "properties"

// Changes is the properties of a record to update, by name.
type Changes struct {
	Sent    map[string]Raw // a null removes the property
	Defined []State        // the definitions of the names in Sent that exist
}

// Names returns the names of the sent properties, sorted.
func (c Changes) Names() []string { return slices.Sorted(maps.Keys(c.Sent)) }

// Update returns v with the properties of c. It returns v itself if nothing changes. All faults are
// returned together, each on the field properties.<name>.
func (v Values) Update(c Changes) (Values, error) {
	if len(c.Sent) == 0 {
		return v, nil
	}
	var (
		errs    []error
		changed []Property
	)
	for _, name := range c.Names() {
		field := Field + "." + name
		i := slices.IndexFunc(c.Defined, func(s State) bool { return s.Name == name })
		if i < 0 {
			errs = append(errs, fault.Invalidf(field, "unknown property"))
			continue
		}
		value, err := c.Defined[i].value(field, c.Sent[name])
		errs = append(errs, err)
		changed = append(changed, Property{name, value})
	}
	if err := fault.Join(errs...); err != nil {
		return v, err
	}
	kept := slices.DeleteFunc(v.All(), func(p Property) bool { _, ok := c.Sent[p.Name]; return ok })
	next := NewValues(append(kept, changed...)...)
	if next.Equal(v) {
		return v, nil
	}
	if len(next.JSON()) > MaxBytes {
		return v, fault.Invalidf(Field, "is too large (maximum is %d bytes)", MaxBytes)
	}
	return next, nil
}
