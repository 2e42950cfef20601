package request

import (
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/domain/fault"
)

// Member returns the named member of an object within an attribute, parsed by read. path is the
// path of the object. Faults of read are added to the document, with their full path.
func Member[T any](
	d *Document, path string, o jsonapi.Object, name string, read func(name string, v jsonapi.Value) (T, error),
) T {
	value, err := read(name, o[name])
	if err != nil {
		d.Fail(fault.InPath(path, err))
	}
	return value
}

// Object returns an object within an attribute. For any other value it adds a fault and returns an
// empty object.
func (d *Document) Object(path string, v jsonapi.Value) jsonapi.Object {
	o, ok := v.Object()
	if !ok {
		d.Fail(fault.Invalidf(path, "must be an object"))
	}
	return o
}

// Elements returns the elements of an array within an attribute. It returns none if the array is
// absent or null, and adds a fault for any other value. It also returns none if the number of
// elements exceeds most: the domain rejects this number, and parsing them would need far more
// memory than the body.
func (d *Document) Elements(path string, v jsonapi.Value, most int) []jsonapi.Value {
	if n, _ := v.Len(); n > most {
		return nil
	}
	elements, ok := v.Array()
	if !ok && !v.NullOrAbsent() {
		d.Fail(fault.Invalidf(path, "must be an array"))
	}
	return elements
}
