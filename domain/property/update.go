package property

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"lyceum/domain/fault"
)

// MaxBytes is the maximum size of the properties of one record, as JSON. It limits the size of a
// page of records.
const MaxBytes = 16 << 10

// Field is the name of the attribute that contains the properties, for faults.
const Field = "properties"

// Changes describes an update of the properties of a record.
type Changes struct {
	Sent    map[string]Raw // new values by name; null removes the property
	Defined []State        // definitions of the names in Sent, as far as they exist
}

// Names returns the names in Sent, sorted.
func (c Changes) Names() []string { return slices.Sorted(maps.Keys(c.Sent)) }

// CheckSent returns the faults of sent properties that no definition can accept. Bulk requests use
// it, because their properties are saved as sent and applied later.
func CheckSent(sent map[string]Raw) error {
	if len(sent) > MaxDefinitions {
		return fault.Invalidf(Field, "has too many elements (maximum is %d)", MaxDefinitions)
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(sent)) {
		field := Field + "." + name
		switch r := sent[name]; {
		case checkName(name) != nil:
			errs = append(errs, unknown(shortened(field)))
		case !utf8.ValidString(r.text):
			errs = append(errs, fault.Invalidf(field, "is not valid UTF-8"))
		}
	}
	return fault.Join(errs...)
}

// maxShown is the maximum length in bytes of an unknown name in a fault. Bulk requests keep their
// faults.
const maxShown = 100

func shortened(field string) string {
	if len(field) <= maxShown {
		return field
	}
	return strings.ToValidUTF8(field[:maxShown], "") + "…"
}

func unknown(field string) error { return fault.Invalidf(field, "unknown property") }

// Update returns v with the changes in c, or v itself if nothing changes. All faults are returned
// together, each on the field properties.<name>.
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
			errs = append(errs, unknown(field))
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
