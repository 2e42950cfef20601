package httpapi

import (
	"strings"

	"github.com/google/uuid"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// toOne returns the id of the record of type typ that the document's
// relationship name, which must be there, refers to. It is zero, which no record
// has, when what was sent is malformed; a fault is noted then, but for an id that
// is none, which names no record.
func (d *document) toOne(name, typ string) uuid.UUID {
	related, _ := d.data[relationshipsMember].Object()
	at := relationshipsMember + "/" + name
	if unset(related[name]) {
		d.fail(fault.Blank(at))
		return uuid.Nil
	}
	relationship, _ := related[name].Object()
	if unset(relationship[dataMember]) {
		d.fail(fault.Blank(at))
		return uuid.Nil
	}
	named, ok := relationship[dataMember].Object()
	if !ok {
		d.fail(fault.Invalidf(at+"/data", "must be an object with a type and an id"))
		return uuid.Nil
	}
	sent, err := textOf(typeMember, named[typeMember])
	switch {
	case err != nil:
		d.fail(fault.At(at+"/data/type", err))
	case strings.TrimSpace(sent) == "":
		d.fail(fault.Blank(at + "/data/type"))
	case sent != typ:
		d.fail(fault.Conflictf(at+"/data/type", "must be %s here", typ))
	default:
		ref, _ := named[idMember].Text()
		id, _ := text.UUID(ref)
		return id
	}
	return uuid.Nil
}

// toOneID is the field of a fault on the id of the relationship name.
func toOneID(name string) string { return relationshipsMember + "/" + name + "/data/id" }

// blames tells whether a fault of the document is on the relationship name.
func (d *document) blames(name string) bool {
	for _, err := range d.faults {
		for _, f := range fault.All(err) {
			if strings.HasPrefix(f.Field, relationshipsMember+"/"+name) {
				return true
			}
		}
	}
	return false
}
