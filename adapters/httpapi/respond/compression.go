package respond

import (
	"bytes"
	"net/http"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/compress"
)

// compress returns the compressed body of a successful response, or nil if it is sent uncompressed.
// The caller must release the buffer. A response that contains a secret is never compressed,
// because its size would depend on the secret.
func (r *Responder) compress(c *gin.Context, status int, body []byte) *bytes.Buffer {
	x := StateOf(c)
	if status >= http.StatusMultipleChoices || len(body) < compress.MinSize || x.Recording || x.Secret != nil || !r.Compresses(c) ||
		c.Writer.Header().Get("Content-Encoding") != "" {
		return nil
	}
	zipped := bodies.Get().(*bytes.Buffer)
	compress.Response(zipped, body)
	return zipped
}

// Compresses reports whether the response may be compressed.
func (r *Responder) Compresses(c *gin.Context) bool {
	return r.Compress && compress.Accepted(c.Request.Header.Values("Accept-Encoding"))
}
