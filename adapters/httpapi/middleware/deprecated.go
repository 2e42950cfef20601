package middleware

import (
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/respond"
	"lyceum/domain/text"
)

var deprecatedSince = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// markDeprecated sets the headers of a deprecated route (RFC 9745) and a link to its successor, or
// to the same record below the successor's path.
func (m *Middleware) markDeprecated(c *gin.Context) {
	successor := respond.StateOf(c).Route.Successor
	if successor == "" {
		return
	}
	if id, ok := text.UUID(c.Param("id")); ok {
		successor += "/" + id.String()
	}
	c.Header("Deprecation", "@"+strconv.FormatInt(deprecatedSince.Unix(), 10))
	c.Header("Link", "<"+successor+`>; rel="successor-version"`)
}
