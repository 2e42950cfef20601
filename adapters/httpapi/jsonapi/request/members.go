package request

import (
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/domain/fault"
)

// Member returns a member of an object within an attribute as read returns it. A fault
// that read returns is noted.
func Member[T any](
	d *Document, place string, o jsonapi.Object, name string, read func(name string, v jsonapi.Value) (T, error),
) T {
	value, err := read(name, o[name])
	if err != nil {
		d.Fail(fault.Within(place, err))
	}
	return value
}

// Object returns an object within an attribute. Another value is noted, and the object
// is empty.
func (d *Document) Object(place string, v jsonapi.Value) jsonapi.Object {
	o, ok := v.Object()
	if !ok {
		d.Fail(fault.Invalidf(place, "must be an object"))
	}
	return o
}

// Elements returns the elements of an array within an attribute, none if it is absent,
// or if there are more than most, which would cost far more than the body: the domain
// refuses none in the words in which it refuses too many.
func (d *Document) Elements(place string, v jsonapi.Value, most int) []jsonapi.Value {
	if n, _ := v.Len(); n > most {
		return nil
	}
	elements, ok := v.Array()
	if !ok && !v.NullOrAbsent() {
		d.Fail(fault.Invalidf(place, "must be an array"))
	}
	return elements
}
