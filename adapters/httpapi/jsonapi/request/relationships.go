package request

import (
	"fmt"
	"strings"

	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/domain/fault"
)

// relationship returns the "data" member of the relationship with the given name. The result is
// absent if the relationship is absent, null or malformed. If it is malformed, relationship also
// adds a fault.
func (d *Document) relationship(name string) jsonapi.Value {
	sent := d.Data[relationshipsMember]
	if sent.NullOrAbsent() {
		return jsonapi.Value{}
	}
	all, ok := sent.Object()
	if !ok {
		d.addFaultOnce(fault.Invalidf(relationshipsMember, "must be an object"))
		return jsonapi.Value{}
	}
	if all[name].NullOrAbsent() {
		return jsonapi.Value{}
	}
	one, ok := all[name].Object()
	if !ok {
		d.Fail(fault.Invalidf(relationshipField(name), "must be an object with the member data"))
	}
	return one[DataMember]
}

// ToMany returns the IDs in a to-many relationship to records of one of types; nil if the
// relationship is absent. For a malformed identifier it adds a fault and returns the zero ID, which
// no record has. An ID that is not a UUID becomes the zero ID without a fault.
func ToMany[ID RecordID](d *Document, name string, types ...string) *[]ID {
	sent := d.relationship(name)
	if sent.Absent() {
		return nil
	}
	field := relationshipField(name)
	elements, ok := sent.Array()
	if !ok {
		d.Fail(fault.Invalidf(field, "must have an array as its data"))
		return nil
	}
	ids := make([]ID, len(elements))
	for i, e := range elements {
		named, err := readIdentifier(e, types)
		ids[i] = ID{named.ID}
		if err != nil {
			d.Fail(fault.InPath(fmt.Sprintf("%s[%d]", field, i), err))
		}
		if len(d.Faults) >= MaxFaults {
			break
		}
	}
	return &ids
}

// ToOne returns the ID in a to-one relationship to a record of one of types. If the relationship is
// absent or malformed, it adds a fault and returns the zero ID, which no record has.
func ToOne[ID RecordID](d *Document, name string, types ...string) ID {
	id := OptionalToOne[ID](d, name, types...)
	if id == nil {
		d.addFaultOnce(fault.Blank(relationshipField(name)))
		return ID{uuid.Nil}
	}
	return *id
}

// OptionalToOne is like ToOne, for an optional relationship: it returns nil if the relationship is
// absent or null.
func OptionalToOne[ID RecordID](d *Document, name string, types ...string) *ID {
	sent := d.relationship(name)
	if sent.NullOrAbsent() {
		return nil
	}
	field := relationshipField(name)
	if _, ok := sent.Object(); !ok {
		field += "." + DataMember
	}
	named, err := readIdentifier(sent, types)
	if err != nil {
		d.Fail(fault.InPath(field, err))
	}
	return &ID{named.ID}
}

// relationshipField returns the field of a fault on a relationship.
func relationshipField(name string) string { return relationshipsMember + "." + name }

// addFaultOnce adds a fault unless the document already has a fault on the same field or on a field
// that contains it.
func (d *Document) addFaultOnce(f *fault.Fault) {
	for _, err := range d.Faults {
		for _, known := range fault.All(err) {
			if f.Field == known.Field || strings.HasPrefix(f.Field, known.Field+".") {
				return
			}
		}
	}
	d.Fail(f)
}
