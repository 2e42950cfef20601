package middleware

import (
	"cmp"
	"net/http"
	"regexp"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"lyceum/adapters/httpapi/listquery"
	"lyceum/adapters/httpapi/respond"
	"lyceum/adapters/redact"
	"lyceum/app/usecase"
)

const requestIDHeader = "X-Request-Id"

// requestIDForm matches the request IDs that a client may choose. They contain no character that
// could be mistaken for another part of a log line.
var requestIDForm = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

// tokenForm matches what may be the token of an invitation, a sign-in link or a session, which has 40
// or 64 hexadecimal digits, even if some are missing. An ID of a trace has 32.
var tokenForm = regexp.MustCompile(`[0-9A-Fa-f]{33}`)

// maxParameters is the maximum number of parameters of a query: more than any list needs, but few
// enough that parsing them without a key is cheap.
const maxParameters = 2000

// setRequestID attaches the request state. Its request ID is the request ID of the client if that
// is well-formed and cannot contain a key or a token, and otherwise a new ID.
func (m *Middleware) setRequestID(c *gin.Context) {
	id := c.GetHeader(requestIDHeader)
	if !requestIDForm.MatchString(id) || redact.MayHoldKey(id) || tokenForm.MatchString(id) {
		id = uuid.NewString()
	}
	route := m.routes.of(c)
	x := &respond.State{
		RequestID: id, MediaType: respond.MediaJSON, Route: route, BodyLimit: cmp.Or(route.BodyLimit, m.cfg.BodyLimit),
	}
	x.ManyParameters = strings.Count(c.Request.URL.RawQuery, "&") >= maxParameters
	if !x.ManyParameters && !route.Probe {
		x.Query = respond.ParseQuery(c.Request.URL.RawQuery)
	}
	x.CSV = route.List && prefersCSV(c.Request.Header.Values("Accept"))
	x.Whole = x.CSV && listquery.IsWhole(x.Query)
	respond.AttachState(c, x)
	address := ""
	if m.cfg.Client != nil {
		if client := m.cfg.Client(c.Request); client.IsValid() {
			address = client.String()
		}
	}
	c.Request = c.Request.WithContext(usecase.WithRequest(c.Request.Context(), id, address))
	c.Header(requestIDHeader, id)
}

// checkQuery refuses a query that was not parsed because it has too many parameters. It runs before
// the key is checked, so the spacing of the client's network applies to the request.
func (m *Middleware) checkQuery(c *gin.Context) error {
	if !respond.StateOf(c).ManyParameters {
		return nil
	}
	if err := m.space(c); err != nil {
		return err
	}
	return respond.HTTPErrorf(http.StatusBadRequest, "The query has more than %d parameters", maxParameters)
}
