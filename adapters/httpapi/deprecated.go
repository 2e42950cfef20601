package httpapi

import (
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
)

// deprecatedSince is when what is deprecated became so.
var deprecatedSince = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// deprecated tells clients that the route is deprecated (RFC 9745) and that the
// one at path takes its place.
func (s *server) deprecated(path string) gin.HandlerFunc {
	since := "@" + strconv.FormatInt(deprecatedSince.Unix(), 10)
	successor := "<" + s.links.Base + path + `>; rel="successor-version"`
	return func(c *gin.Context) {
		c.Header("Deprecation", since)
		c.Header("Link", successor)
	}
}
