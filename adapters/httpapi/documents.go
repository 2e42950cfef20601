package httpapi

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/respond"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// readNew returns the document of a new resource, which must be of one of types, of any
// if there are none.
func (s *server) readNew(c *gin.Context, types ...string) (*request.Document, error) {
	payload, err := s.readRequired(c)
	if err != nil {
		return nil, err
	}
	return request.ParseNew(payload, s.version.strict(), types...)
}

// readChange returns the document of a change to the resource id. PUT, an alias of
// PATCH as POST may be, need not name the resource: the path does.
func (s *server) readChange(c *gin.Context, id uuid.UUID, typ string) (*request.Document, error) {
	payload, err := s.readRequired(c)
	if err != nil {
		return nil, err
	}
	return request.ParseChange(payload, s.version.strict() && c.Request.Method != http.MethodPut, id, typ)
}

// checkDeletion refuses a DELETE of the resource id with a body about another one.
func (s *server) checkDeletion(c *gin.Context, id uuid.UUID, types ...string) error {
	payload, err := s.readPayload(c)
	if err != nil {
		return err
	}
	return request.CheckDeletion(payload, id, types...)
}

// readOptional returns the document of a request whose body may be empty.
func (s *server) readOptional(c *gin.Context, types ...string) (*request.Document, error) {
	payload, err := s.readPayload(c)
	if err != nil {
		return nil, err
	}
	return request.ParseOptional(payload, types...)
}

// readRecord returns the document of a new record of type typ.
func (s *server) readRecord(c *gin.Context, typ string) (*request.Document, error) {
	payload, err := s.readRequired(c)
	if err != nil {
		return nil, err
	}
	return request.ParseRecord(payload, typ)
}

// readBatch returns the document of a request, or up to most of them in an array.
func (s *server) readBatch(c *gin.Context, most int) (request.Batch, error) {
	payload, err := s.readRequired(c)
	if err != nil {
		return request.Batch{}, err
	}
	return request.ParseBatch(payload, most)
}

// readRequired is readPayload for a body that must not be empty.
func (s *server) readRequired(c *gin.Context) (jsonapi.Value, error) {
	payload, err := s.readPayload(c)
	if err == nil && payload.Absent() {
		err = respond.Refusef(http.StatusBadRequest, "The body must be a JSON document, and is empty")
	}
	return payload, err
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
