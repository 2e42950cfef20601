package httpapi

import (
	"net/http"
	"strconv"
	"sync"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/compress"
	"lyceum/adapters/httpapi/reference"
	"lyceum/adapters/httpapi/respond"
	"lyceum/domain/fault"
)

// immutableCaching is the Cache-Control of files whose names contain a hash of their content.
const immutableCaching = "public, max-age=31536000, immutable"

// referenceHandlers serves the page of the API reference and its files.
type referenceHandlers struct {
	server *server
	load   func() (*reference.Reference, error)
}

// newReferenceHandlers returns the handlers. They create the page at the first request, so that it
// does not delay the start.
func newReferenceHandlers(s *server) referenceHandlers {
	return referenceHandlers{server: s, load: sync.OnceValues(func() (*reference.Reference, error) {
		return reference.New(s.links.root())
	})}
}

func (r referenceHandlers) getPage(c *gin.Context) error {
	ref, err := r.load()
	if err != nil {
		return err
	}
	c.Header("Content-Security-Policy", reference.Policy)
	c.Header("Cross-Origin-Opener-Policy", "same-origin")
	const html = "text/html; charset=utf-8"
	r.server.WriteBody(c, respond.ETag(html, ref.Page), respond.Revalidate, html, ref.Page)
	return nil
}

// getFile responds with a file of the page, compressed if the client accepts gzip. For HEAD it
// decompresses nothing.
func (r referenceHandlers) getFile(c *gin.Context) error {
	ref, err := r.load()
	if err != nil {
		return err
	}
	name := c.Param("id")
	f, ok := ref.File(name)
	if !ok {
		return fault.RecordNotFound()
	}
	body, zipped := f.Zipped()
	c.Header("Vary", "Accept-Encoding")
	file := keylessFile{tag: `W/"` + name + `"`, caching: immutableCaching, mediaType: f.Type, body: body}
	switch {
	case zipped && compress.Accepted(c.Request.Header.Values("Accept-Encoding")):
		file.encoding = compress.Encoding
	case c.Request.Method == http.MethodHead:
		if !r.server.NotModified(c, file.tag, immutableCaching) {
			c.Header("Content-Type", f.Type)
			c.Header("Content-Length", strconv.Itoa(f.Size()))
			c.Status(http.StatusOK)
			c.Writer.WriteHeaderNow()
		}
		return nil
	default:
		if file.body, err = f.Plain(); err != nil {
			return err
		}
	}
	return r.server.writeKeylessFile(c, file)
}
