package middleware

import (
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/respond"
)

// securityHeaders sets the headers that all responses have.
func (m *Middleware) securityHeaders(c *gin.Context) {
	h := c.Writer.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer") // a URL may contain a key
	h.Set("Vary", "Accept")
	if m.Compress {
		h.Set("Vary", "Accept, Accept-Encoding")
	}
}

// maxHeaders is the maximum size of the request headers in bytes, without the URL.
// Browsers send 1 to 4 KiB.
const maxHeaders = 16 << 10

// headerBytes returns the size of the headers of r in HTTP/1.1.
func headerBytes(r *http.Request) int {
	size := len(r.Host)
	for name, values := range r.Header {
		for _, v := range values {
			size += len(name) + len(": ") + len(v) + len("\r\n")
		}
	}
	return size
}

// maxLanguages is the maximum length of an Accept-Language header that is not ignored. Parsing takes
// time that grows faster than the length. Browsers send less than 200 bytes.
const maxLanguages = 1 << 10

// ignoreCostlyHeaders removes headers that a server may ignore, and that would take much processor
// time: a Range header with several ranges, which no browser or media player sends (RFC 9110, section
// 14.2), and a long Accept-Language header.
func ignoreCostlyHeaders(h http.Header) {
	if strings.Contains(h.Get("Range"), ",") {
		h.Del("Range")
	}
	if len(h.Get("Accept-Language")) > maxLanguages {
		h.Del("Accept-Language")
	}
}

// maxContentType is the maximum length of a Content-Type header. Parsing many continuations of a
// parameter (RFC 2231) takes time that grows with the square of their number.
const maxContentType = 1 << 10

// checkHeaders refuses a request whose headers are too large. It runs before the key is read, so
// the spacing of the client's network applies to the request.
func (m *Middleware) checkHeaders(c *gin.Context) error {
	ignoreCostlyHeaders(c.Request.Header)
	var refusal error
	switch {
	case headerBytes(c.Request) > maxHeaders:
		refusal = respond.HTTPErrorf(http.StatusRequestHeaderFieldsTooLarge, "The headers exceed %d bytes", maxHeaders)
	case len(c.GetHeader("Content-Type")) > maxContentType:
		refusal = respond.HTTPErrorf(http.StatusRequestHeaderFieldsTooLarge, "The header Content-Type exceeds %d bytes", maxContentType)
	default:
		return nil
	}
	if err := m.space(c); err != nil {
		return err
	}
	return refusal
}

// checkTransport refuses a request over a connection on which keys must not be sent. It runs before
// the key is read, so the spacing of the client's network applies to refused requests. Probes are
// allowed over any connection, because they bypass the proxy. With LocalOnly, it also refuses
// requests for other hosts and from pages of other hosts.
func (m *Middleware) checkTransport(c *gin.Context) error {
	answerable, https := m.cfg.Transport(c.Request)
	if https {
		c.Header("Strict-Transport-Security", "max-age=31536000")
	}
	if !answerable && !respond.StateOf(c).Route.Probe {
		if err := m.space(c); err != nil {
			return err
		}
		return respond.HTTPErrorf(http.StatusForbidden, "HTTPS is required")
	}
	isForeign := func(of string) bool { return !isLocal(of) }
	if m.cfg.LocalOnly && (isForeign("//"+c.Request.Host) || slices.ContainsFunc(c.Request.Header.Values("Origin"), isForeign)) {
		if err := m.space(c); err != nil {
			return err
		}
		return respond.HTTPErrorf(http.StatusForbidden, "This server accepts only requests to localhost from pages on localhost")
	}
	return nil
}

// isLocal reports whether a URL is blank or its host is this machine.
func isLocal(of string) bool {
	u, err := url.Parse(of)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return of == "" || strings.EqualFold(u.Hostname(), "localhost") || err == nil && ip.IsLoopback()
}
