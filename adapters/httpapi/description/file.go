package description

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/respond"
)

// file is a file that clients without a key can read.
type file struct {
	tag, caching, mediaType string

	// encoding is the Content-Encoding of the body; blank: none.
	encoding string
	body     []byte
}

// write responds with a file, or with 304 if the client already has it. Because the
// client has no key, a large file counts as several requests of its network, and the response may
// be delayed or refused.
func (s *Server) write(c *gin.Context, f file) error {
	if s.NotModified(c, f.tag, f.caching) {
		return nil
	}
	h := c.Writer.Header()
	if c.Request.Method != http.MethodHead {
		if err := s.Delay(c, len(f.body)); err != nil {
			h.Del("ETag")
			return err
		}
	}
	if f.encoding != "" {
		h.Set("Content-Encoding", f.encoding)
	}
	s.Send(c, http.StatusOK, f.mediaType, f.body)
	return nil
}

// tags contains the entity tags of a document by its media type.
type tags map[string]string

// newTags returns the entity tags of a document that clients can get as JSON or JSON:API.
func newTags(document []byte) tags {
	t := tags{}
	for _, mediaType := range []string{respond.MediaJSON, respond.MediaJSONAPI} {
		t[mediaType] = respond.ETag(mediaType, document)
	}
	return t
}
