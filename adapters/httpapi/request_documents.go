package httpapi

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/middleware"
	"lyceum/adapters/httpapi/respond"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// readNew returns the document of a new resource of one of types, or of any type if types is empty.
func (s *server) readNew(c *gin.Context, types ...string) (*request.Document, error) {
	payload, err := s.readRequired(c)
	if err != nil {
		return nil, err
	}
	return request.ParseNew(payload, s.version.strict(), types...)
}

// readChange returns the document of a change to the resource id. The document of a PUT may omit
// the type and the ID.
func (s *server) readChange(c *gin.Context, id uuid.UUID, typ string) (*request.Document, error) {
	payload, err := s.readRequired(c)
	if err != nil {
		return nil, err
	}
	return request.ParseChange(payload, s.version.strict() && c.Request.Method != http.MethodPut, id, typ)
}

// checkDeletion returns an error if a DELETE of the resource id has a body about another resource.
func (s *server) checkDeletion(c *gin.Context, id uuid.UUID, types ...string) error {
	payload, err := middleware.ReadPayload(c)
	if err != nil {
		return err
	}
	return request.CheckDeletion(payload, id, types...)
}

// readOptional returns the document of a request whose body may be empty.
func (s *server) readOptional(c *gin.Context, types ...string) (*request.Document, error) {
	payload, err := middleware.ReadPayload(c)
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

// readBatch returns the document of a request, or the documents of an array of 1 to most elements.
func (s *server) readBatch(c *gin.Context, most int) (request.Batch, error) {
	payload, err := s.readRequired(c)
	if err != nil {
		return request.Batch{}, err
	}
	b, err := request.ParseBatch(payload, most)
	if err != nil {
		return b, err
	}
	s.middleware.ChargeRecords(c, len(b.Documents))
	return b, nil
}

// readRequired is like middleware.ReadPayload, but the body must not be empty.
func (s *server) readRequired(c *gin.Context) (jsonapi.Value, error) {
	payload, err := middleware.ReadPayload(c)
	if err == nil && payload.Absent() {
		err = respond.HTTPErrorf(http.StatusBadRequest, "The body must be a JSON document but is empty")
	}
	return payload, err
}

// newName reads the attribute "name" of a new resource.
func newName(d *request.Document) string { return d.NewText("name") }

// valueOrZero returns *v, or the zero value if v is nil.
func valueOrZero[T any](v *T) T {
	if v == nil {
		var none T
		return none
	}
	return *v
}

// reader reads the value of an attribute, or returns a fault on the field name.
type reader[T any] = func(name string, v jsonapi.Value) (T, error)

// parsed returns a reader that parses the text that read returns.
func parsed[T any](read reader[string], parse func(text string) (T, error)) reader[T] {
	return func(name string, v jsonapi.Value) (T, error) {
		text, err := read(name, v)
		if err != nil {
			var zero T
			return zero, err
		}
		return parse(text)
	}
}

// orBlank returns a reader that returns the zero value for null and for the empty text. The domain
// decides whether the attribute is required.
func orBlank[T any](read reader[T]) reader[T] {
	return func(name string, v jsonapi.Value) (T, error) {
		if text, err := request.TextOf(name, v); err == nil && text == "" {
			var zero T
			return zero, nil
		}
		return read(name, v)
	}
}

// pathID returns the :id of the request's path. A malformed ID is NotFound.
func pathID(c *gin.Context) (uuid.UUID, error) {
	id, ok := text.UUID(c.Param("id"))
	if !ok {
		return uuid.UUID{}, fault.RecordNotFound()
	}
	return id, nil
}
