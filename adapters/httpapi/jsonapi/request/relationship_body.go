package request

import (
	"slices"
	"strings"

	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// MaxFaults is the maximum number of faults that are collected and returned, so that a small
// request cannot produce a huge response.
const MaxFaults = 100

// RecordID is the constraint for record IDs. Each type of record has its own ID type, which embeds
// a UUID.
type RecordID interface{ ~struct{ uuid.UUID } }

// Identifier is a resource identifier: an element of a relationship.
type Identifier struct {
	Type string
	ID   uuid.UUID // the zero ID, which no record has, if the identifier or its ID is malformed
}

// ParseIdentifiers returns the resource identifiers in the payload of a request about a
// relationship: an array, each of one of types. A malformed identifier has the zero ID and a fault.
// An ID that is not a UUID becomes the zero ID without a fault. ParseIdentifiers stops after
// MaxFaults.
func ParseIdentifiers(payload jsonapi.Value, types ...string) (ids []Identifier, faults []error, err error) {
	top, _ := payload.Object()
	elements, ok := top[DataMember].Array()
	if !ok {
		return nil, nil, fault.Invalidf(DataMember, "must be an array")
	}
	for i, e := range elements {
		id, err := readIdentifier(e, types)
		ids = append(ids, id)
		if err != nil {
			faults = append(faults, fault.AtRow(err, i))
		}
		if len(faults) == MaxFaults {
			break
		}
	}
	return ids, faults, nil
}

func readIdentifier(v jsonapi.Value, types []string) (Identifier, error) {
	o, ok := v.Object()
	if !ok {
		return Identifier{}, fault.Invalidf("", "must be an object with a type and an id")
	}
	typ, err := TextOf(TypeMember, o[TypeMember])
	switch {
	case err != nil:
		return Identifier{}, err
	case strings.TrimSpace(typ) == "":
		return Identifier{}, fault.Blank(TypeMember)
	case !slices.Contains(types, typ):
		return Identifier{}, fault.Conflictf(TypeMember, "must be %s", strings.Join(types, " or "))
	}
	sent, _ := o[IDMember].Text()
	id, _ := text.UUID(sent)
	return Identifier{Type: typ, ID: id}, nil
}
