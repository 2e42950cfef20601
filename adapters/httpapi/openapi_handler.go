package httpapi

import (
	"encoding/json"
	"net/url"
	"sync"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/openapi"
	"lyceum/adapters/httpapi/respond"
)

// openAPIHandler returns the handler of the OpenAPI document. The document is assembled and encoded
// at the first request, so that it does not delay the start.
func (s *server) openAPIHandler() func(c *gin.Context) error {
	document := sync.OnceValues(func() ([]byte, error) {
		text, err := openapi.Document(s.links.root())
		if err != nil {
			return nil, err
		}
		return respond.Encode(json.RawMessage(text))
	})
	return func(c *gin.Context) error {
		body, err := document()
		if err != nil {
			return err
		}
		mediaType := respond.StateOf(c).MediaType
		s.WriteBody(c, respond.ETag(mediaType, body), respond.Revalidate, mediaType, body)
		return nil
	}
}

// root returns the path that precedes every path of the API in URLs, or "".
func (l Links) root() string {
	base, err := url.Parse(l.Base)
	if err != nil {
		return ""
	}
	return base.EscapedPath()
}
