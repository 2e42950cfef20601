package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// identifier names one element of a relationship.
type identifier struct {
	typ string
	id  uuid.UUID // zero, which no record has, when what was sent is malformed
}

// readIdentifiers reads the body of a request about a relationship: an array of
// resource identifiers, each of one of types. It returns them with the faults of
// those that are no such thing, which name no record. Behind as many faults as an
// answer holds it reads no further.
func (s *server) readIdentifiers(c *gin.Context, types ...string) (ids []identifier, faults []error, err error) {
	payload, err := s.readPayload(c)
	if err != nil {
		return nil, nil, err
	}
	if payload.Absent() {
		return nil, nil, refusef(http.StatusBadRequest, emptyBody)
	}
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
		if len(faults) == errorsTold {
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

// pathID returns the :id of the request's path. One that is malformed names
// nothing that exists.
func pathID(c *gin.Context) (uuid.UUID, error) {
	id, ok := text.UUID(c.Param("id"))
	if !ok {
		return uuid.UUID{}, fault.Missing()
	}
	return id, nil
}
