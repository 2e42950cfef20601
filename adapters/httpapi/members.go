package httpapi

import (
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/domain/fault"
)

// member returns a member of an object within an attribute as read returns it. A fault
// that read returns is noted.
func member[T any](
	d *document, place string, o jsonapi.Object, name string, read func(name string, v jsonapi.Value) (T, error),
) T {
	value, err := read(name, o[name])
	if err != nil {
		d.fail(fault.Within(place, err))
	}
	return value
}

// object returns an object within an attribute. Another value is noted, and the object
// is empty.
func (d *document) object(place string, v jsonapi.Value) jsonapi.Object {
	o, ok := v.Object()
	if !ok {
		d.fail(fault.Invalidf(place, "must be an object"))
	}
	return o
}

// elements returns the elements of an array within an attribute, none if it is absent,
// or if there are more than most, which would cost far more than the body: the domain
// refuses none in the words in which it refuses too many.
func (d *document) elements(place string, v jsonapi.Value, most int) []jsonapi.Value {
	if n, _ := v.Len(); n > most {
		return nil
	}
	elements, ok := v.Array()
	if !ok && !v.NullOrAbsent() {
		d.fail(fault.Invalidf(place, "must be an array"))
	}
	return elements
}
