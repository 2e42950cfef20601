package respond

import (
	"bytes"
	"encoding/hex"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/gin-gonic/gin"
	"github.com/goccy/go-json"
	"lyceum/adapters/httpapi/compress"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/redact"
)

// Values of Cache-Control.
const (
	Revalidate = "max-age=0, private, must-revalidate"
	NoCache    = "no-cache"
	NoStore    = "no-store"
)

// Responder writes responses.
type Responder struct {
	Log      *slog.Logger
	Lanes    limits.Lanes
	Spacings limits.Spacings
	// PageBytes is the maximum size of a page of a list in bytes.
	PageBytes int
	Compress  bool // whether responses are compressed for clients that accept it
	// TimeLimit is how long a response may be sent after the deadline of its request.
	TimeLimit time.Duration
	// UploadPause and UploadRate are the parameters of limits.NewPace for uploads.
	UploadPause time.Duration
	UploadRate  int64
}

// WriteOK responds with 200 and a document, or with 304 if the client already has it.
func (r *Responder) WriteOK(c *gin.Context, document any) error {
	return r.Write(c, http.StatusOK, document)
}

// WriteResource responds with 201 and a new resource, whose URL is location.
func (r *Responder) WriteResource(c *gin.Context, location string, made jsonapi.Resource) error {
	return r.WriteCreated(c, location, jsonapi.Single{Data: made})
}

// WriteCreated responds with 201 and the document of the records that a request created, whose URL
// is location.
func (r *Responder) WriteCreated(c *gin.Context, location string, document any) error {
	c.Header("Location", location)
	return r.Write(c, http.StatusCreated, document)
}

// WriteAccepted responds with 202 and a resource, whose URL is location. The resource shows the
// state of a request that is processed later.
func (r *Responder) WriteAccepted(c *gin.Context, location string, made jsonapi.Resource) error {
	c.Header("Location", location)
	return r.Write(c, http.StatusAccepted, jsonapi.Single{Data: made})
}

// WriteNoContent responds with 204.
func WriteNoContent(c *gin.Context) {
	c.Header("Cache-Control", NoCache)
	c.Status(http.StatusNoContent)
	c.Writer.WriteHeaderNow()
}

// Write responds with a document. If the status is 200 and the client already has the document, it
// responds with 304.
func (r *Responder) Write(c *gin.Context, status int, document any) error {
	page := bodies.Get().(*bytes.Buffer)
	defer releaseBuffer(page)
	if err := r.encodeDocument(page, document); err != nil {
		return err
	}
	body := page.Bytes()
	mediaType := StateOf(c).MediaType
	if status == http.StatusOK {
		r.WriteBody(c, ETag(mediaType, body), Revalidate, mediaType, body)
		return nil
	}
	r.charge(c, len(body))
	c.Header("Cache-Control", NoCache)
	if StateOf(c).Secret != nil {
		c.Header("Cache-Control", NoStore)
	}
	r.Send(c, status, mediaType, body)
	return nil
}

// WriteBody responds with 200 and a body, or with 304 if the client already has it. It calls charge
// with the size of the body.
func (r *Responder) WriteBody(c *gin.Context, tag, caching, mediaType string, body []byte) {
	r.charge(c, len(body))
	if !r.NotModified(c, tag, caching) {
		r.Send(c, http.StatusOK, mediaType, body)
	}
}

// NotModified sets the headers for caching. If the client already has the response, it responds
// with 304 and returns true.
func (r *Responder) NotModified(c *gin.Context, tag, caching string) bool {
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

// Send sends a body, compressed if it is large enough and the client accepts gzip. All documents
// are sent by Send. Send first releases the slot of the request, so that a client that reads slowly
// neither holds it nor makes other responses of its school hold theirs. A large response takes
// slots for its bytes instead, because it stays in memory until it is sent.
func (r *Responder) Send(c *gin.Context, status int, mediaType string, body []byte) {
	h, plain := c.Writer.Header(), len(body)
	zipped := r.compress(c, status, body)
	if zipped != nil {
		defer releaseBuffer(zipped)
		body = zipped.Bytes()
	}
	if x := StateOf(c); !x.Recording {
		x.Slot.Release()
		if x.Slot != nil && plain > LargeResponse {
			held := cap(body)
			if zipped != nil {
				held += plain // the caller holds the plain body until the response is sent
			}
			slot, err := r.Lanes.EnterResponse(c.Request.Context(), x.Origin(), held)
			defer slot.Release()
			if err != nil {
				h.Del("ETag")
				r.Fail(c, err)
				return
			}
		}
	}
	if zipped != nil {
		h.Set("Content-Encoding", compress.Encoding)
	}
	h.Set("Content-Type", mediaType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	c.Status(status)
	if _, err := c.Writer.Write(body); err != nil {
		// The client disconnected.
		r.Log.DebugContext(c.Request.Context(), "response not sent", "request_id", StateOf(c).RequestID, "error", redact.Connection(err))
	}
}

// LargeResponse is the size in bytes above which a response takes slots. Smaller responses fit into
// the buffers of a connection.
const LargeResponse = 64 << 10

// IsRead reports whether a method only reads.
func IsRead(method string) bool { return method == http.MethodGet || method == http.MethodHead }

// bodies is a pool of response buffers. A buffer must not be used after releaseBuffer.
var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// maxPooledBody is the capacity in bytes up to which a buffer is pooled. A page of 1,000
// records is larger.
const maxPooledBody = 256 << 10

func releaseBuffer(body *bytes.Buffer) {
	if body.Cap() <= maxPooledBody {
		body.Reset()
		bodies.Put(body)
	}
}

// Encode returns v as JSON. The characters & and <, frequent in links, are not escaped.
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

// ETag returns the weak entity tag of a body. The hash is not cryptographic: a client that
// constructs two bodies with the same tag only hides its own change from caches.
func ETag(mediaType string, body []byte) string {
	h := xxhash.New()
	_, _ = h.WriteString(mediaType)
	_, _ = h.Write(body)
	return `W/"` + hex.EncodeToString(h.Sum(nil)) + `"`
}
