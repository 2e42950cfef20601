package httpapi

import (
	"slices"
	"strings"

	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/domain/fault"
)

const ownID = "The service chooses the id of a new resource"

// document is the data of a request about one resource, and the faults that were
// found in it. What reads a part of it notes a fault and returns a value that stands
// for the part, so that one pass finds all faults.
type document struct {
	data, attributes jsonapi.Object
	faults           []error
}

// parseNew returns the document of a new resource, which must be of one of types, of
// any if there are none; strict says that it must have a type. A client cannot choose
// its id.
func parseNew(payload jsonapi.Value, strict bool, types ...string) (*document, error) {
	d, err := parse(payload)
	if err != nil {
		return nil, err
	}
	for _, member := range []string{idMember, uuidMember} {
		sent := d.data[member]
		id, isText := sent.Text()
		if blank := sent.NullOrAbsent() || isText && id == ""; !blank {
			refused := fault.Forbiddenf(ownID)
			refused.Field = member
			return nil, refused
		}
	}
	d.checkType(strict, types)
	return d, nil
}

// parseChange returns the document of a change to the resource id; strict says that
// it must have the type and the id.
func parseChange(payload jsonapi.Value, strict bool, id uuid.UUID, typ string) (*document, error) {
	d, err := parse(payload)
	if err != nil {
		return nil, err
	}
	d.checkType(strict, []string{typ})
	d.checkID(strict, id)
	return d, nil
}

// checkDeletion checks the payload of a DELETE of the resource id, which may be
// absent: it must not contradict the path.
func checkDeletion(payload jsonapi.Value, id uuid.UUID, types ...string) error {
	if payload.NullOrAbsent() {
		return nil
	}
	if top, ok := payload.Object(); ok && top[dataMember].NullOrAbsent() {
		return nil
	}
	d, err := parse(payload)
	if err != nil {
		return err
	}
	d.checkType(false, types)
	d.checkID(false, id)
	return fault.Join(d.faults...)
}

// parseOptional returns the document in a payload that may be absent, of one of types.
func parseOptional(payload jsonapi.Value, types ...string) (*document, error) {
	if payload.Absent() {
		return &document{}, nil
	}
	if top, ok := payload.Object(); ok && len(top) == 0 {
		return &document{}, nil
	}
	d, err := parse(payload)
	if err == nil {
		d.checkType(false, types)
	}
	return d, err
}

// parse returns the document in a payload.
func parse(payload jsonapi.Value) (*document, error) {
	top, _ := payload.Object()
	data, ok := top[dataMember].Object()
	if !ok {
		return nil, fault.Invalidf(dataMember, "must be an object")
	}
	return documentOf(data), nil
}

// documentOf returns the document whose data are given.
func documentOf(data jsonapi.Object) *document {
	d := &document{data: data}
	var ok bool
	if sent := data[attributesMember]; !sent.NullOrAbsent() {
		if d.attributes, ok = sent.Object(); !ok {
			d.fail(fault.Invalidf(attributesMember, "must be an object"))
		}
	}
	return d
}

// checkType notes a type that is none of types, if there are any; strict says that the
// document must have one.
func (d *document) checkType(strict bool, types []string) {
	typ, err := textOf(typeMember, d.data[typeMember])
	switch {
	case err != nil:
		d.fail(err)
	case strings.TrimSpace(typ) == "":
		if strict {
			d.fail(fault.Blank(typeMember))
		}
	case len(types) > 0 && !slices.Contains(types, typ):
		d.fail(fault.Conflictf(typeMember, "must be %s here", strings.Join(types, " or ")))
	}
}

// checkID notes a uuid or an id, its alias, that is not id; strict says that the
// document must have one.
func (d *document) checkID(strict bool, id uuid.UUID) {
	found := false
	for _, member := range []string{uuidMember, idMember} {
		sent, err := textOf(member, d.data[member])
		switch {
		case err != nil:
			found = true
			d.fail(err)
		case sent == "":
		case !strings.EqualFold(sent, id.String()):
			found = true
			d.fail(fault.Conflictf(member, "must be the id in the path"))
		default:
			found = true
		}
	}
	if strict && !found {
		d.fail(fault.Blank(uuidMember))
	}
}

// wrongID returns the faults of a document that names another resource than id.
func (d *document) wrongID(id uuid.UUID) error {
	about := &document{data: d.data}
	about.checkID(false, id)
	return fault.Join(about.faults...)
}

func (d *document) fail(err error) { d.faults = append(d.faults, err) }
