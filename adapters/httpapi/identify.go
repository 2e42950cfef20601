package httpapi

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"lyceum/adapters/httpapi/redact"
	"lyceum/adapters/httpapi/respond"
)

const requestIDHeader = "X-Request-Id"

// requestIDForm is what a request's own id may look like: nothing that could
// confuse a log.
var requestIDForm = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

// maxParameters is the number of parameters that a query may have: more than any list
// takes, and few enough that to split them costs little, since anybody may send them.
const maxParameters = 2000

// identify begins the exchange and gives it an id: the request's when it is
// well-formed, else a new one.
func (s *server) identify(c *gin.Context) {
	id := c.GetHeader(requestIDHeader)
	if !requestIDForm.MatchString(id) || redact.MayHoldKey(id) {
		id = uuid.NewString()
	}
	x := &respond.State{RequestID: id, MediaType: mediaJSON}
	x.ManyParameters = strings.Count(c.Request.URL.RawQuery, "&") >= maxParameters
	if !x.ManyParameters && !healthPaths.hold(c.Request.URL.Path) { // which read no parameters
		x.Query = respond.ParseQuery(c.Request.URL.RawQuery)
	}
	respond.Begin(c, x)
	c.Header(requestIDHeader, id)
}

// checkQuery refuses a query that was not read because it has too many parameters. It
// may hold a key, which is not looked for: the request is of its network.
func (s *server) checkQuery(c *gin.Context) error {
	if respond.StateOf(c).ManyParameters {
		if err := s.spaceOut(c); err != nil {
			return err
		}
		return respond.Refusef(http.StatusBadRequest, "The query has more than %d parameters", maxParameters)
	}
	return nil
}
