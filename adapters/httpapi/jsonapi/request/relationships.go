package request

import (
	"fmt"
	"strings"

	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/domain/fault"
)

// relationship returns the member data of a relationship of the document; it is
// absent if the relationship is absent or null. A relationship of another form is
// noted.
func (d *Document) relationship(name string) jsonapi.Value {
	sent := d.Data[relationshipsMember]
	if sent.NullOrAbsent() {
		return jsonapi.Value{}
	}
	all, ok := sent.Object()
	if !ok {
		d.failOnce(fault.Invalidf(relationshipsMember, "must be an object"))
		return jsonapi.Value{}
	}
	if all[name].NullOrAbsent() {
		return jsonapi.Value{}
	}
	one, ok := all[name].Object()
	if !ok {
		d.Fail(fault.Invalidf(relationshipField(name), "must be an object with data"))
	}
	return one[DataMember]
}

// ToMany returns the ids that the document names in a relationship to many, of
// records of one of types; nil if the relationship is absent. An id that is
// malformed is zero, which no record has. Other identifiers that are malformed are
// noted.
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
			d.Fail(fault.Within(fmt.Sprintf("%s[%d]", field, i), err))
		}
		if len(d.Faults) >= MaxFaults {
			break
		}
	}
	return &ids
}

// ToOne returns the id that the document names in a relationship to one, of a
// record of one of types. If it names none, that is noted and the id is zero,
// which no record has. So is an id that is malformed.
func ToOne[ID RecordID](d *Document, name string, types ...string) ID {
	id := OptionalToOne[ID](d, name, types...)
	if id == nil {
		d.failOnce(fault.Blank(relationshipField(name)))
		return ID{uuid.Nil}
	}
	return *id
}

// OptionalToOne is ToOne for a relationship that may be absent or null: nil then.
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
		d.Fail(fault.Within(field, err))
	}
	return &ID{named.ID}
}

// relationshipField returns the field of a fault on a relationship.
func relationshipField(name string) string { return relationshipsMember + "." + name }

// failOnce notes a fault unless one is noted on the same field, or on one that
// contains it.
func (d *Document) failOnce(f *fault.Fault) {
	for _, err := range d.Faults {
		for _, known := range fault.All(err) {
			if f.Field == known.Field || strings.HasPrefix(f.Field, known.Field+".") {
				return
			}
		}
	}
	d.Fail(f)
}
