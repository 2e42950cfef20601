package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/domain/fault"
)

const (
	ownID     = "The service chooses the id of a new resource"
	emptyBody = "The body must be a JSON document, and is empty"
)

// document is the data of a request about one resource, with all that is found
// to be wrong with it.
type document struct {
	data, attributes jsonapi.Object
	faults           []error
}

// readNew reads the document of a resource that is to be made, which must be
// of one of types, of any when there are none. A client cannot choose its id.
func (s *server) readNew(c *gin.Context, types ...string) (*document, error) {
	d, err := s.readDocument(c)
	if err != nil {
		return nil, err
	}
	for _, member := range []string{idMember, uuidMember} {
		sent := d.data[member]
		id, isText := sent.Text()
		if blank := unset(sent) || isText && id == ""; !blank {
			refused := fault.Forbiddenf(ownID)
			refused.Field = member
			return nil, refused
		}
	}
	d.checkType(s.version.strict(), types)
	return d, nil
}

// readChange reads the document of a change to the resource id. PUT, an alias
// of PATCH as POST may be, need not say what it is about: the path says it.
func (s *server) readChange(c *gin.Context, id uuid.UUID, typ string) (*document, error) {
	d, err := s.readDocument(c)
	if err != nil {
		return nil, err
	}
	strict := s.version.strict() && c.Request.Method != http.MethodPut
	d.checkType(strict, []string{typ})
	d.checkID(strict, id)
	return d, nil
}

// checkDeletion reads what a DELETE says of the resource id: nothing, or
// nothing that contradicts the path.
func (s *server) checkDeletion(c *gin.Context, id uuid.UUID, types ...string) error {
	payload, err := s.readPayload(c)
	if err != nil || unset(payload) {
		return err
	}
	if top, ok := payload.Object(); ok && unset(top[dataMember]) {
		return nil
	}
	d, err := newDocument(payload)
	if err != nil {
		return err
	}
	d.checkType(false, types)
	d.checkID(false, id)
	return fault.Join(d.faults...)
}

// readOptional is readDocument for a body that need not be there and that must
// be about one of types.
func (s *server) readOptional(c *gin.Context, types ...string) (*document, error) {
	payload, err := s.readPayload(c)
	if err != nil {
		return nil, err
	}
	if payload.Absent() {
		return &document{}, nil
	}
	if top, ok := payload.Object(); ok && len(top) == 0 {
		return &document{}, nil
	}
	d, err := newDocument(payload)
	if err == nil {
		d.checkType(false, types)
	}
	return d, err
}

func (s *server) readDocument(c *gin.Context) (*document, error) {
	payload, err := s.readPayload(c)
	if err != nil {
		return nil, err
	}
	if payload.Absent() {
		return nil, refusef(http.StatusBadRequest, emptyBody)
	}
	return newDocument(payload)
}

func newDocument(payload jsonapi.Value) (*document, error) {
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
	if sent := data[attributesMember]; !unset(sent) {
		if d.attributes, ok = sent.Object(); !ok {
			d.fail(fault.Invalidf(attributesMember, "must be an object"))
		}
	}
	return d
}

// checkType notes a type that is none of types, if there are any; strict says that there must be one.
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

// checkID notes a uuid or an id, its alias, that is not id; strict says that
// there must be one.
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

func (d *document) fail(err error) { d.faults = append(d.faults, err) }

// unset tells whether v is absent or null.
func unset(v jsonapi.Value) bool { return v.Absent() || v.Null() }
