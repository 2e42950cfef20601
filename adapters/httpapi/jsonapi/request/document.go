package request

import (
	"slices"
	"strings"

	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/domain/fault"
)

const clientIDDetail = "must not be present; the server assigns the id of a new resource"

// Document is the data of a request about one resource, and the faults found in it. A method that
// reads an invalid part adds a fault and returns a placeholder, so that one pass finds all faults.
type Document struct {
	Data, Attributes jsonapi.Object
	Faults           []error
}

// ParseNew returns the document of a new resource. Its type must be in types, unless types is
// empty; if strict, it must have a type. It must not have an ID.
func ParseNew(payload jsonapi.Value, strict bool, types ...string) (*Document, error) {
	d, err := Parse(payload)
	if err != nil {
		return nil, err
	}
	for _, member := range []string{IDMember, uuidMember} {
		sent := d.Data[member]
		id, isText := sent.Text()
		if blank := sent.NullOrAbsent() || isText && id == ""; !blank {
			refused := fault.Forbiddenf(clientIDDetail)
			refused.Field = member
			return nil, refused
		}
	}
	d.CheckType(strict, types)
	return d, nil
}

// ParseChange returns the document of a change to the resource id. If strict, it must have its type
// and ID.
func ParseChange(payload jsonapi.Value, strict bool, id uuid.UUID, typ string) (*Document, error) {
	d, err := Parse(payload)
	if err != nil {
		return nil, err
	}
	d.CheckType(strict, []string{typ})
	d.checkID(strict, id)
	return d, nil
}

// CheckDeletion returns a fault if a DELETE of the resource id has a payload that contradicts the
// path. The payload may be absent.
func CheckDeletion(payload jsonapi.Value, id uuid.UUID, types ...string) error {
	if payload.NullOrAbsent() {
		return nil
	}
	if top, ok := payload.Object(); ok && top[DataMember].NullOrAbsent() {
		return nil
	}
	d, err := Parse(payload)
	if err != nil {
		return err
	}
	d.CheckType(false, types)
	d.checkID(false, id)
	return fault.Join(d.Faults...)
}

// ParseOptional returns the document in a payload that may be absent. Its type must be in types.
func ParseOptional(payload jsonapi.Value, types ...string) (*Document, error) {
	if payload.Absent() {
		return &Document{}, nil
	}
	if top, ok := payload.Object(); ok && len(top) == 0 {
		return &Document{}, nil
	}
	d, err := Parse(payload)
	if err == nil {
		d.CheckType(false, types)
	}
	return d, err
}

// Parse returns the document in a payload, or Invalid if its data is not an object.
func Parse(payload jsonapi.Value) (*Document, error) {
	top, _ := payload.Object()
	data, ok := top[DataMember].Object()
	if !ok {
		return nil, fault.Invalidf(DataMember, "must be an object")
	}
	return documentOf(data), nil
}

func documentOf(data jsonapi.Object) *Document {
	d := &Document{Data: data}
	var ok bool
	if sent := data[attributesMember]; !sent.NullOrAbsent() {
		if d.Attributes, ok = sent.Object(); !ok {
			d.Fail(fault.Invalidf(attributesMember, "must be an object"))
		}
	}
	return d
}

// CheckType adds a fault if the type is not in types. If types is empty, any type is allowed. If
// strict, the document must have a type.
func (d *Document) CheckType(strict bool, types []string) {
	typ, err := TextOf(TypeMember, d.Data[TypeMember])
	switch {
	case err != nil:
		d.Fail(err)
	case strings.TrimSpace(typ) == "":
		if strict {
			d.Fail(fault.Blank(TypeMember))
		}
	case len(types) > 0 && !slices.Contains(types, typ):
		d.Fail(fault.Conflictf(TypeMember, "must be %s", strings.Join(types, " or ")))
	}
}

// checkID adds a fault if the document has a uuid, or its alias id, other than id. If strict, it
// must have one of them.
func (d *Document) checkID(strict bool, id uuid.UUID) {
	found := false
	for _, member := range []string{uuidMember, IDMember} {
		sent, err := TextOf(member, d.Data[member])
		switch {
		case err != nil:
			found = true
			d.Fail(err)
		case sent == "":
		case !strings.EqualFold(sent, id.String()):
			found = true
			d.Fail(fault.Conflictf(member, "must match the id in the path"))
		default:
			found = true
		}
	}
	if strict && !found {
		d.Fail(fault.Blank(uuidMember))
	}
}

// WrongID returns the faults of a document whose ID is malformed or differs from id. A document
// without an ID has none.
func (d *Document) WrongID(id uuid.UUID) error {
	about := &Document{Data: d.Data}
	about.checkID(false, id)
	return fault.Join(about.Faults...)
}

// Fail adds a fault, unless there are already MaxFaults.
func (d *Document) Fail(err error) {
	if len(d.Faults) < MaxFaults {
		d.Faults = append(d.Faults, err)
	}
}
