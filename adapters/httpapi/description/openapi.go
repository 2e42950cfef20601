package description

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/compress"
	"lyceum/adapters/httpapi/openapi"
	"lyceum/adapters/httpapi/respond"
)

// OpenAPI returns the handler of the OpenAPI document. The document is assembled and encoded
// at the first request, so that it does not delay the start. It is compressed at the first request
// that accepts gzip.
func (s *Server) OpenAPI() func(c *gin.Context) error {
	document := sync.OnceValues(func() ([]byte, error) {
		text, err := openapi.Document(s.root())
		if err != nil {
			return nil, err
		}
		return respond.Encode(json.RawMessage(s.quickStart(text)))
	})
	zipped := sync.OnceValue(func() []byte {
		body, _ := document() // the caller has checked the error
		return compress.Small(body)
	})
	tagged := sync.OnceValue(func() tags {
		body, _ := document()
		return newTags(body)
	})
	return func(c *gin.Context) error {
		body, err := document()
		if err != nil {
			return err
		}
		mediaType := respond.StateOf(c).MediaType
		f := file{tag: tagged()[mediaType], caching: respond.Revalidate, mediaType: mediaType, body: body}
		if s.Compresses(c) {
			f.encoding, f.body = compress.Encoding, zipped()
		}
		return s.write(c, f)
	}
}

// Placeholders for a URL and a key in the quick start of the description.
const (
	sampleURL = "https://lyceum.example"
	sampleKey = "lyc_YourApiKey"
)

// quickStart replaces the placeholders in the examples of a document with the URL of the server and
// the key of the demo school.
func (s *Server) quickStart(document []byte) []byte {
	if _, err := url.ParseRequestURI(s.Base); err == nil && !strings.ContainsAny(s.Base, `"\\`) {
		document = bytes.ReplaceAll(document, []byte(sampleURL), []byte(s.Base))
	}
	if s.DemoKey != "" {
		document = bytes.ReplaceAll(document, []byte(sampleKey), []byte(s.DemoKey))
	}
	return document
}

// root returns the path of the base URL, which precedes every path of the API. It is "" if the base
// URL has none.
func (s *Server) root() string {
	base, err := url.Parse(s.Base)
	if err != nil {
		return ""
	}
	return base.EscapedPath()
}
