package httpapi

import (
	"strings"

	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/domain/fault"
)

// relationship returns what the document says of a relationship, the member data
// of it; it is absent when nothing is said. What is no relationship is noted.
func (d *document) relationship(name string) jsonapi.Value {
	sent := d.data[relationshipsMember]
	if unset(sent) {
		return jsonapi.Value{}
	}
	all, ok := sent.Object()
	if !ok {
		d.failOnce(fault.Invalidf(relationshipsMember, "must be an object"))
		return jsonapi.Value{}
	}
	if unset(all[name]) {
		return jsonapi.Value{}
	}
	one, ok := all[name].Object()
	if !ok {
		d.fail(fault.Invalidf(relationshipsMember+"."+name, "must be an object with data"))
	}
	return one[dataMember]
}

// toMany returns the ids that the document names in a relationship to many, of
// records of one of types; nil when it says nothing of it. An id that is wrong is
// zero, which no record has, and noted.
func toMany[ID identity](d *document, name string, types ...string) *[]ID {
	sent := d.relationship(name)
	if sent.Absent() {
		return nil
	}
	place := relationshipsMember + "." + name
	elements, ok := sent.Array()
	if !ok {
		d.fail(fault.Invalidf(place, "must have an array as its data"))
		return nil
	}
	ids := make([]ID, len(elements))
	for i, e := range elements {
		named, err := readIdentifier(e, types)
		ids[i] = ID{named.id}
		if err != nil {
			d.fail(fault.Within(place, fault.AtRow(err, i)))
		}
		if len(d.faults) >= errorsTold {
			break
		}
	}
	return &ids
}

// toOne returns the id that the document must name in a relationship to one, of
// a record of one of types. When it does not, that is noted and the id is zero,
// which no record has.
func toOne[ID identity](d *document, name string, types ...string) ID {
	place := relationshipsMember + "." + name
	sent := d.relationship(name)
	if unset(sent) {
		d.failOnce(fault.Blank(place))
		return ID{uuid.UUID{}}
	}
	named, err := readIdentifier(sent, types)
	if err != nil {
		d.fail(fault.Within(place, err))
	}
	return ID{named.id}
}

// failOnce notes a fault unless something is noted of its place, or of one that
// it stands in.
func (d *document) failOnce(f *fault.Fault) {
	for _, err := range d.faults {
		for _, known := range fault.All(err) {
			if f.Field == known.Field || strings.HasPrefix(f.Field, known.Field+".") {
				return
			}
		}
	}
	d.fail(f)
}
