package httpapi

import (
	"bytes"
	"encoding/hex"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/gin-gonic/gin"
	"github.com/goccy/go-json"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/limits"
)

const (
	revalidate = "max-age=0, private, must-revalidate"
	noCache    = "no-cache"
	noStore    = "no-store"
)

// responder answers requests.
type responder struct {
	log   *slog.Logger
	lanes limits.Lanes
}

// ok answers with a document: 200, or 304 when the client has it already.
func (r *responder) ok(c *gin.Context, document any) error {
	return r.write(c, http.StatusOK, document)
}

// created answers with the resource that a request made, whose own address is
// location.
func (r *responder) created(c *gin.Context, location string, made jsonapi.Resource) error {
	return r.recorded(c, location, jsonapi.Single{Data: made})
}

// recorded answers with the document of what a request made, which can be read
// at the address location.
func (r *responder) recorded(c *gin.Context, location string, document any) error {
	c.Header("Location", location)
	return r.write(c, http.StatusCreated, document)
}

// accepted answers with the resource, whose own address is location, that tells
// what becomes of a request which is carried out later.
func (r *responder) accepted(c *gin.Context, location string, made jsonapi.Resource) error {
	c.Header("Location", location)
	return r.write(c, http.StatusAccepted, jsonapi.Single{Data: made})
}

// noContent answers that all is done and nothing is to be shown.
func noContent(c *gin.Context) {
	c.Header("Cache-Control", noCache)
	c.Status(http.StatusNoContent)
	c.Writer.WriteHeaderNow()
}

// write answers with a document.
func (r *responder) write(c *gin.Context, status int, document any) error {
	page := bodies.Get().(*bytes.Buffer)
	defer reuse(page)
	if err := encodeTo(page, document); err != nil {
		return err
	}
	body := page.Bytes()
	mediaType := exchangeOf(c).mediaType
	if status == http.StatusOK {
		r.answer(c, etag(mediaType, body), revalidate, mediaType, body)
		return nil
	}
	c.Header("Cache-Control", noCache)
	if exchangeOf(c).secret != nil {
		c.Header("Cache-Control", noStore)
	}
	r.send(c, status, mediaType, body)
	return nil
}

// answer answers 200 with a body, or 304 when the client has it already.
func (r *responder) answer(c *gin.Context, tag, caching, mediaType string, body []byte) {
	if !r.unchanged(c, tag, caching) {
		r.send(c, http.StatusOK, mediaType, body)
	}
}

// unchanged sets the headers of a response that may be cached, and reports
// whether it has answered 304 because the client has that response already.
func (r *responder) unchanged(c *gin.Context, tag, caching string) bool {
	h := c.Writer.Header()
	h.Set("ETag", tag)
	h.Set("Cache-Control", caching)
	if !isRead(c.Request.Method) || !anyMatches(c.Request.Header.Values("If-None-Match"), tag) {
		return false
	}
	h.Del("Content-Encoding")
	c.Status(http.StatusNotModified)
	c.Writer.WriteHeaderNow()
	return true
}

// send sends a body. It is the only place that does. A client that reads slowly holds
// no slot of its class, but one for large responses if this is one: it stays in memory
// until it is sent.
func (r *responder) send(c *gin.Context, status int, mediaType string, body []byte) {
	h := c.Writer.Header()
	if x := exchangeOf(c); !x.recording {
		if x.slot != nil && len(body) > largeResponse {
			slot, err := r.lanes.Enter(c.Request.Context(), r.lanes.Responses, x.origin(), limits.TooManyRequests)
			defer slot.Release()
			if err != nil {
				h.Del("ETag")
				r.fail(c, err)
				return
			}
		}
		x.slot.Release()
	}
	h.Set("Content-Type", mediaType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	c.Status(status)
	if _, err := c.Writer.Write(body); err != nil {
		// The client disconnected. Its address is left out.
		if failed := (*net.OpError)(nil); errors.As(err, &failed) {
			err = failed.Err
		}
		r.log.DebugContext(c.Request.Context(), "answer not sent", "request_id", exchangeOf(c).requestID, "error", err)
	}
}

// largeResponse is the size, in bytes, above which a response takes a slot of its own:
// smaller ones fit into the buffers of a connection.
const largeResponse = 64 << 10

func isRead(method string) bool { return method == http.MethodGet || method == http.MethodHead }

// bodies are used again by one answer after another. Whoever keeps what is sent
// copies it.
var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// largestKept is how many bytes of a body may lie idle; a page of 1,000 records is
// larger.
const largestKept = 256 << 10

func reuse(body *bytes.Buffer) {
	if body.Cap() <= largestKept {
		body.Reset()
		bodies.Put(body)
	}
}

// encode returns v as JSON, with & and < as they are: links are full of them.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	err := encodeTo(&b, v)
	return b.Bytes(), err
}

func encodeTo(b *bytes.Buffer, v any) error {
	if err := json.NewEncoder(b).EncodeWithOption(v, json.DisableHTMLEscape()); err != nil {
		return err
	}
	b.Truncate(b.Len() - len("\n"))
	return nil
}

// etag returns the weak entity tag of a body. It is no seal: who contrives two
// bodies with one tag hides his own change from those who have the one already.
func etag(mediaType string, body []byte) string {
	h := xxhash.New()
	_, _ = h.WriteString(mediaType)
	_, _ = h.Write(body)
	return `W/"` + hex.EncodeToString(h.Sum(nil)) + `"`
}
