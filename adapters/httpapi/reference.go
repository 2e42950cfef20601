package httpapi

import (
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/reference"
	"lyceum/adapters/httpapi/respond"
	"lyceum/domain/fault"
)

// immutable is for files whose name changes with their content.
const immutable = "public, max-age=31536000, immutable"

// references serves the page on which people read about the API.
type references struct {
	server *server
	load   func() (*reference.Reference, error)
}

// newReferences returns them, not made yet: no start waits for the page.
func newReferences(s *server) references {
	return references{server: s, load: sync.OnceValues(func() (*reference.Reference, error) {
		return reference.New(s.links.root())
	})}
}

// page answers with the page.
func (r references) page(c *gin.Context) error {
	ref, err := r.load()
	if err != nil {
		return err
	}
	c.Header("Content-Security-Policy", reference.Policy)
	c.Header("Cross-Origin-Opener-Policy", "same-origin")
	const html = "text/html; charset=utf-8"
	r.server.Answer(c, respond.ETag(html, ref.Page), respond.Revalidate, html, ref.Page)
	return nil
}

// file answers with a file of the page, compressed for clients that accept gzip.
// HEAD unpacks nothing: it needs the size alone.
func (r references) file(c *gin.Context) error {
	ref, err := r.load()
	if err != nil {
		return err
	}
	name := c.Param("id")
	f, ok := ref.File(name)
	if !ok {
		return fault.Missing()
	}
	body, zipped := f.Zipped()
	c.Header("Vary", "Accept-Encoding")
	tag := `W/"` + name + `"`
	switch {
	case zipped && understandsGzip(c.Request.Header.Values("Accept-Encoding")):
		c.Header("Content-Encoding", "gzip")
	case c.Request.Method == http.MethodHead:
		if !r.server.Unchanged(c, tag, immutable) {
			c.Header("Content-Type", f.Type)
			c.Header("Content-Length", strconv.Itoa(f.Size()))
			c.Status(http.StatusOK)
			c.Writer.WriteHeaderNow()
		}
		return nil
	default:
		if body, err = f.Plain(); err != nil {
			return err
		}
	}
	r.server.Answer(c, tag, immutable, f.Type, body)
	return nil
}

// understandsGzip reads Accept-Encoding headers. What they say of gzip counts
// more than what they say of everything.
func understandsGzip(headers []string) bool {
	understood, named := false, false
	for coding := range strings.SplitSeq(strings.Join(headers, ","), ",") {
		name, params, _ := strings.Cut(coding, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		if name != "gzip" && (name != "*" || named) {
			continue
		}
		_, q, weighted := strings.Cut(params, "q=")
		understood, named = !weighted || quality(strings.TrimSpace(q)) > 0, name == "gzip"
	}
	return understood
}
