package description

import (
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/compress"
	"lyceum/adapters/httpapi/reference"
	"lyceum/adapters/httpapi/respond"
	"lyceum/domain/fault"
)

// immutableCaching is the Cache-Control of files whose names contain a hash of their content.
const immutableCaching = "public, max-age=31536000, immutable"

// ReferencePage responds with the page of the API reference. It creates the page at the first
// request, so that it does not delay the start.
func (s *Server) ReferencePage(c *gin.Context) error {
	ref, err := s.reference()
	if err != nil {
		return err
	}
	c.Header("Content-Security-Policy", reference.Policy)
	c.Header("Cross-Origin-Opener-Policy", "same-origin")
	const html = "text/html; charset=utf-8"
	s.WriteBody(c, respond.ETag(html, ref.Page), respond.Revalidate, html, ref.Page)
	return nil
}

// ReferenceFile responds with a file of the page, compressed if the client accepts gzip. For HEAD
// it decompresses nothing.
func (s *Server) ReferenceFile(c *gin.Context) error {
	ref, err := s.reference()
	if err != nil {
		return err
	}
	name := c.Param("id")
	f, ok := ref.File(name)
	if !ok {
		return fault.RecordNotFound()
	}
	body, zipped := f.Stored()
	c.Header("Vary", "Accept-Encoding")
	answer := file{tag: `W/"` + name + `"`, caching: immutableCaching, mediaType: f.Type, body: body}
	switch {
	case zipped && compress.Accepted(c.Request.Header.Values("Accept-Encoding")):
		answer.encoding = compress.Encoding
	case c.Request.Method == http.MethodHead:
		if !s.NotModified(c, answer.tag, immutableCaching) {
			c.Header("Content-Type", f.Type)
			c.Header("Content-Length", strconv.Itoa(f.Size()))
			c.Status(http.StatusOK)
			c.Writer.WriteHeaderNow()
		}
		return nil
	default:
		if answer.body, err = f.Plain(); err != nil {
			return err
		}
	}
	return s.write(c, answer)
}
