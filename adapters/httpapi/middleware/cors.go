package middleware

import (
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/rs/cors"
)

// preflightAge is the time for which a browser may cache the response to a preflight request.
// Chromium caches it for at most 2 hours.
const preflightAge = 2 * time.Hour

// ExposedHeaders contains the response headers that web pages of other origins can read, in
// addition to headers that the Fetch standard always allows, such as Content-Type.
var ExposedHeaders = []string{
	"Age", "Allow", "Content-Disposition", "Deprecation", "ETag", "Idempotent-Replayed", "Link", "Location", "RateLimit",
	"RateLimit-Policy", "Retry-After", "WWW-Authenticate", "X-Request-Id",
}

// newCORS returns a cors.Cors that allows cross-origin requests from pages of the given origins. It
// never allows browsers to add stored credentials such as cookies: a page must send an API key
// itself.
func newCORS(origins []string) *cors.Cors {
	return cors.New(cors.Options{
		AllowedOrigins: origins,
		AllowedMethods: []string{
			http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		},
		AllowedHeaders: []string{
			"Accept", "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "X-Api-Key", "X-Request-Id",
		},
		ExposedHeaders: ExposedHeaders,
		MaxAge:         int(preflightAge.Seconds()),
	})
}

// crossOrigin sets the CORS headers for requests from web pages of other origins, on errors too. It
// responds to preflight requests itself, before authentication, because browsers send them without
// a key.
func (m *Middleware) crossOrigin(c *gin.Context) error {
	if m.cors == nil || !isAPIPath(c.Request.URL.Path) {
		return nil
	}
	m.cors.HandlerFunc(c.Writer, c.Request)
	if !isPreflight(c.Request) {
		return nil
	}
	if err := m.space(c); err != nil {
		return err
	}
	c.Writer.WriteHeaderNow()
	c.Abort()
	return nil
}

// isAPIPath reports whether path is below a version of the API. The invitation page, the home page
// and downloads are not.
func isAPIPath(path string) bool {
	return strings.HasPrefix(path, "/v1/") || strings.HasPrefix(path, "/v2/")
}

// isPreflight reports whether r is a preflight request, with which a browser asks whether another
// request is allowed.
func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}
