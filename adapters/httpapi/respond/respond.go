package respond

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
	Revalidate = "max-age=0, private, must-revalidate"
	NoCache    = "no-cache"
	NoStore    = "no-store"
)

// Responder answers requests.
type Responder struct {
	Log   *slog.Logger
	Lanes limits.Lanes
}

// OK answers with a document: 200, or 304 when the client has it already.
func (r *Responder) OK(c *gin.Context, document any) error {
	return r.Write(c, http.StatusOK, document)
}

// Created answers with the resource that a request made, whose own address is
// location.
func (r *Responder) Created(c *gin.Context, location string, made jsonapi.Resource) error {
	return r.Recorded(c, location, jsonapi.Single{Data: made})
}

// Recorded answers with the document of what a request made, which can be read
// at the address location.
func (r *Responder) Recorded(c *gin.Context, location string, document any) error {
	c.Header("Location", location)
	return r.Write(c, http.StatusCreated, document)
}

// Accepted answers with the resource, whose own address is location, that tells
// what becomes of a request which is carried out later.
func (r *Responder) Accepted(c *gin.Context, location string, made jsonapi.Resource) error {
	c.Header("Location", location)
	return r.Write(c, http.StatusAccepted, jsonapi.Single{Data: made})
}

// NoContent answers that all is done and nothing is to be shown.
func NoContent(c *gin.Context) {
	c.Header("Cache-Control", NoCache)
	c.Status(http.StatusNoContent)
	c.Writer.WriteHeaderNow()
}

// Write answers with a document.
func (r *Responder) Write(c *gin.Context, status int, document any) error {
	page := bodies.Get().(*bytes.Buffer)
	defer reuse(page)
	if err := encodeTo(page, document); err != nil {
		return err
	}
	body := page.Bytes()
	mediaType := StateOf(c).MediaType
	if status == http.StatusOK {
		r.Answer(c, ETag(mediaType, body), Revalidate, mediaType, body)
		return nil
	}
	c.Header("Cache-Control", NoCache)
	if StateOf(c).Secret != nil {
		c.Header("Cache-Control", NoStore)
	}
	r.Send(c, status, mediaType, body)
	return nil
}

// Answer answers 200 with a body, or 304 when the client has it already.
func (r *Responder) Answer(c *gin.Context, tag, caching, mediaType string, body []byte) {
	if !r.Unchanged(c, tag, caching) {
		r.Send(c, http.StatusOK, mediaType, body)
	}
}

// Unchanged sets the headers of a response that may be cached, and reports
// whether it has answered 304 because the client has that response already.
func (r *Responder) Unchanged(c *gin.Context, tag, caching string) bool {
	h := c.Writer.Header()
	h.Set("ETag", tag)
	h.Set("Cache-Control", caching)
	if !IsRead(c.Request.Method) || !AnyMatches(c.Request.Header.Values("If-None-Match"), tag) {
		return false
	}
	h.Del("Content-Encoding")
	c.Status(http.StatusNotModified)
	c.Writer.WriteHeaderNow()
	return true
}

// Send sends a body. It is the only place that does. A client that reads slowly holds
// no slot of its class, but one for large responses if this is one: it stays in memory
// until it is sent.
func (r *Responder) Send(c *gin.Context, status int, mediaType string, body []byte) {
	h := c.Writer.Header()
	if x := StateOf(c); !x.Recording {
		if x.Slot != nil && len(body) > largeResponse {
			slot, err := r.Lanes.Enter(c.Request.Context(), r.Lanes.Responses, x.Origin(), limits.TooManyRequests)
			defer slot.Release()
			if err != nil {
				h.Del("ETag")
				r.Fail(c, err)
				return
			}
		}
		x.Slot.Release()
	}
	h.Set("Content-Type", mediaType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	c.Status(status)
	if _, err := c.Writer.Write(body); err != nil {
		// The client disconnected. Its address is left out.
		if failed := (*net.OpError)(nil); errors.As(err, &failed) {
			err = failed.Err
		}
		r.Log.DebugContext(c.Request.Context(), "answer not sent", "request_id", StateOf(c).RequestID, "error", err)
	}
}

// largeResponse is the size, in bytes, above which a response takes a slot of its own:
// smaller ones fit into the buffers of a connection.
const largeResponse = 64 << 10

func IsRead(method string) bool { return method == http.MethodGet || method == http.MethodHead }

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

// Encode returns v as JSON, with & and < as they are: links are full of them.
func Encode(v any) ([]byte, error) {
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

// ETag returns the weak entity tag of a body. It is no seal: who contrives two
// bodies with one tag hides his own change from those who have the one already.
func ETag(mediaType string, body []byte) string {
	h := xxhash.New()
	_, _ = h.WriteString(mediaType)
	_, _ = h.Write(body)
	return `W/"` + hex.EncodeToString(h.Sum(nil)) + `"`
}
