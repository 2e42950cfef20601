package httpapi

import (
	"encoding/json"
	"net/url"
	"sync"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/openapi"
)

// describeAPI returns the handler that answers with the description of the API.
// It is put together when somebody asks for it first, so that no start waits
// for it.
func (s *server) describeAPI() func(c *gin.Context) error {
	document := sync.OnceValues(func() ([]byte, error) { return openapi.Document(s.links.root()) })
	return func(c *gin.Context) error {
		text, err := document()
		if err != nil {
			return err
		}
		return s.ok(c, json.RawMessage(text))
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
