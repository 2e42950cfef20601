package httpapi

import (
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	"lyceum/domain/text"
)

// deprecatedSince is when what is deprecated became so.
var deprecatedSince = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// deprecated marks the route as deprecated (RFC 9745) and names the address that
// takes its place: path, or the record of the same id below path if the route is
// of one record.
func (s *server) deprecated(path string) gin.HandlerFunc {
	since := "@" + strconv.FormatInt(deprecatedSince.Unix(), 10)
	return func(c *gin.Context) {
		c.Header("Deprecation", since)
		successor := s.links.Base + path
		if id, ok := text.UUID(c.Param("id")); ok {
			successor += "/" + id.String()
		}
		c.Header("Link", "<"+successor+`>; rel="successor-version"`)
	}
}
