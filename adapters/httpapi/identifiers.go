package httpapi

import (
	"slices"
	"strings"

	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// maxFaults is the number of faults that are collected, and that a response holds: a
// small request must not make a huge response.
const maxFaults = 100

// identifier is a resource identifier: it names one element of a relationship.
type identifier struct {
	typ string
	id  uuid.UUID // zero, which no record has, if it is malformed
}

// parseIdentifiers returns the resource identifiers in the payload of a request about a
// relationship, which must be an array of them, each of one of types. It returns them
// with the faults of those that are malformed, which name no record, and stops after
// maxFaults.
func parseIdentifiers(payload jsonapi.Value, types ...string) (ids []identifier, faults []error, err error) {
	top, _ := payload.Object()
	elements, ok := top[dataMember].Array()
	if !ok {
		return nil, nil, fault.Invalidf(dataMember, "must be an array")
	}
	for i, e := range elements {
		id, err := readIdentifier(e, types)
		ids = append(ids, id)
		if err != nil {
			faults = append(faults, fault.AtRow(err, i))
		}
		if len(faults) == maxFaults {
			break
		}
	}
	return ids, faults, nil
}

func readIdentifier(v jsonapi.Value, types []string) (identifier, error) {
	o, ok := v.Object()
	if !ok {
		return identifier{}, fault.Invalidf("", "must be an object with a type and an id")
	}
	typ, err := textOf(typeMember, o[typeMember])
	switch {
	case err != nil:
		return identifier{}, err
	case strings.TrimSpace(typ) == "":
		return identifier{}, fault.Blank(typeMember)
	case !slices.Contains(types, typ):
		return identifier{}, fault.Conflictf(typeMember, "must be %s here", strings.Join(types, " or "))
	}
	sent, _ := o[idMember].Text()
	id, _ := text.UUID(sent)
	return identifier{typ: typ, id: id}, nil
}
