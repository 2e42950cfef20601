package httpapi

import (
	"regexp"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
)

const requestIDHeader = "X-Request-Id"

// requestIDForm is what a request's own id may look like: nothing that could
// confuse a log.
var requestIDForm = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

// identify begins the exchange and gives it an id: the request's when it is
// well-formed, else a new one.
func (s *server) identify(c *gin.Context) {
	id := c.GetHeader(requestIDHeader)
	if !requestIDForm.MatchString(id) || secretive(id) {
		id = uuid.NewString()
	}
	begin(c, &exchange{requestID: id, mediaType: mediaJSON, query: splitQuery(c.Request.URL.RawQuery)})
	c.Header(requestIDHeader, id)
}

// secretive tells whether s may hold an API key.
func secretive(s string) bool { return strings.Contains(strings.ToLower(s), "lyc_") }
