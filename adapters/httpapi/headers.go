package httpapi

import (
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/respond"
)

// secure sets the headers that every response carries.
func secure(c *gin.Context) {
	h := c.Writer.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer") // keys stand in addresses
	h.Set("Vary", "Accept")
}

// maxHeaders is how many bytes the headers of a request may have: the address, which
// may be longer, is not among them. Browsers send 1 to 4 KiB.
const maxHeaders = 16 << 10

// headerBytes returns the size of the headers of r, as HTTP/1.1 sends them.
func headerBytes(r *http.Request) int {
	size := len(r.Host)
	for name, values := range r.Header {
		for _, v := range values {
			size += len(name) + len(": ") + len(v) + len("\r\n")
		}
	}
	return size
}

// checkHeaders refuses headers that are too large, before anybody reads them.
func (s *server) checkHeaders(c *gin.Context) error {
	if headerBytes(c.Request) <= maxHeaders {
		return nil
	}
	if err := s.spaceOut(c); err != nil {
		return err
	}
	return respond.Refusef(http.StatusRequestHeaderFieldsTooLarge, "The headers are larger than %d bytes", maxHeaders)
}

// checkTransport refuses a request that came by a way on which no key may be
// sent, before it looks at any. To the health paths any way will do: who probes
// them reaches the server beside its proxy.
func (s *server) checkTransport(c *gin.Context) error {
	answerable, https := s.cfg.Transport(c.Request)
	if https {
		c.Header("Strict-Transport-Security", "max-age=31536000")
	}
	if !answerable && !healthPaths.hold(c.Request.URL.Path) {
		return respond.Refusef(http.StatusForbidden, "This service answers over HTTPS only")
	}
	isForeign := func(of string) bool { return !isLocal(of) }
	if s.cfg.LocalOnly && (isForeign("//"+c.Request.Host) || slices.ContainsFunc(c.Request.Header.Values("Origin"), isForeign)) {
		return respond.Refusef(http.StatusForbidden, "This server answers requests to localhost only, from pages on localhost")
	}
	return nil
}

// isLocal reports whether a URL names this machine; a blank one does.
func isLocal(of string) bool {
	u, err := url.Parse(of)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return of == "" || strings.EqualFold(u.Hostname(), "localhost") || err == nil && ip.IsLoopback()
}
