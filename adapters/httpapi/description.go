package httpapi

import (
	"encoding/json"
	"net/url"
	"sync"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/openapi"
	"lyceum/adapters/httpapi/respond"
)

// describeAPI returns the handler that answers with the description of the API.
// The document is made for the first request for it, so that no start waits for it,
// and encoded once, since anybody may ask for it.
func (s *server) describeAPI() func(c *gin.Context) error {
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
		s.Answer(c, respond.ETag(mediaType, body), respond.Revalidate, mediaType, body)
		return nil
	}
}

// root returns the path that stands before every path of the API in an address,
// blank when there is none. A browser that follows it stays where it is.
func (l Links) root() string {
	base, err := url.Parse(l.Base)
	if err != nil {
		return ""
	}
	return base.EscapedPath()
}
