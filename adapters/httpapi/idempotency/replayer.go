package idempotency

import (
	"context"
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
	"lyceum/domain/replay"
)

const (
	Header         = "Idempotency-Key"
	replayedHeader = "Idempotent-Replayed"
	repeatKeySize  = 255
)

// KeyOf returns the key under which a POST may be repeated, blank when it
// brings none. What other methods do may be repeated anyway.
func KeyOf(r *http.Request) (string, error) {
	sent := r.Header.Values(Header)
	if r.Method != http.MethodPost || len(sent) == 0 {
		return "", nil
	}
	key := sent[0]
	good := len(sent) == 1 && key != "" && len(key) <= repeatKeySize
	for _, b := range []byte(key) {
		good = good && b >= ' ' && b <= '~'
	}
	if !good {
		return "", &respond.RefusalError{
			Status: http.StatusBadRequest, Header: Header,
			Detail: "Idempotency-Key must be one value of 1 to 255 printable ASCII characters",
		}
	}
	return key, nil
}

// Replayer answers requests with the responses that were recorded under their
// idempotency keys.
type Replayer struct {
	*respond.Responder
	Repeats *app.Repeats
}

// Once lets h answer the request unless it was answered before under the key, as
// again tells then; replay.ErrOther when that was another request. h may run more
// than once, and all that it writes is one transaction.
func (r *Replayer) Once(c *gin.Context, asked app.Request, h func(c *gin.Context, a app.Actor) error) (again bool, err error) {
	x, outside, request := respond.StateOf(c), c.Writer, c.Request
	defer func() { c.Writer, c.Request, x.Recording = outside, request, false }()
	var first replay.Answer
	answer, again, err := r.Repeats.Once(
		request.Context(), x.Actor, asked,
		func(ctx context.Context, a app.Actor) (replay.Answer, error) {
			taken := newRecorder(outside)
			x.Secret, x.Recording = nil, true
			c.Writer, c.Request = taken, request.WithContext(ctx)
			if err := h(c, a); err != nil {
				return replay.Answer{}, err
			}
			if first = taken.answer(); x.Secret != nil {
				return secretShown(*x.Secret, x.MediaType)
			}
			return first, nil
		})
	c.Writer, c.Request, x.Recording = outside, request, false
	if err != nil {
		return again, err
	}
	if !again {
		answer = first
	}
	r.repeat(c, answer, again)
	return again, nil
}

// secretShown returns the recorded response of a request whose first response
// shows the secret of a record. The store keeps no secret, so a repeat is
// refused, and the record is named.
func secretShown(of respond.Holder, mediaType string) (replay.Answer, error) {
	e := respond.NewError(http.StatusConflict, "The secret was shown in the first answer to this Idempotency-Key and is not shown again")
	e.Source.Header, e.Meta = Header, respond.TakenMeta{Original: of}
	body, err := respond.Encode(jsonapi.Errors{Errors: []jsonapi.Error{e}})
	return replay.Answer{Status: http.StatusConflict, ContentType: mediaType, Body: body}, err
}

// Explain says what replay.ErrOther and replay.ErrErased mean to the client;
// another error it leaves as it is.
func Explain(err error) error {
	if errors.Is(err, replay.ErrErased) {
		return &respond.RefusalError{
			Status: http.StatusConflict, Header: Header,
			Detail: "The answer to this Idempotency-Key was erased, because it was about a person who was deleted since",
		}
	}
	if !errors.Is(err, replay.ErrOther) {
		return err
	}
	return &respond.RefusalError{
		Status: http.StatusUnprocessableEntity, Header: Header,
		Detail: "Idempotency-Key was used for another request already",
	}
}

// RequestOf returns what decides whether two requests are the same: content stands for
// the body, of which a handler that takes large ones passes a digest. The API key
// does not decide: a school may have several.
func RequestOf(c *gin.Context, key, contentType string, content ...[]byte) app.Request {
	parts := append([][]byte{[]byte(contentType)}, content...)
	for _, p := range respond.StateOf(c).Query {
		if p.Name != respond.KeyParameter {
			parts = append(parts, []byte(p.Name), []byte(p.Value))
		}
	}
	return app.Request{
		ID:          replay.NewID(c.Request.Method, c.Request.URL.EscapedPath(), key),
		Fingerprint: replay.NewFingerprint(parts...),
	}
}

// repeat sends an answer; again says that it is not the first time.
func (r *Replayer) repeat(c *gin.Context, a replay.Answer, again bool) {
	caching := respond.NoCache
	switch {
	case respond.StateOf(c).Secret != nil:
		caching = respond.NoStore
	case a.Status == http.StatusOK:
		caching = respond.Revalidate
	}
	c.Header("Cache-Control", caching)
	if a.Location != "" {
		c.Header("Location", a.Location)
	}
	if a.ETag != "" {
		c.Header("ETag", a.ETag)
	}
	if again && a.Status < http.StatusBadRequest {
		c.Header(replayedHeader, "true")
	}
	if len(a.Body) == 0 {
		c.Status(a.Status)
		c.Writer.WriteHeaderNow()
		return
	}
	r.Send(c, a.Status, a.ContentType, a.Body)
}
