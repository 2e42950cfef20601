package idempotency

import (
	"context"
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
	"lyceum/domain/idempotency"
)

const (
	Header         = "Idempotency-Key"
	replayedHeader = "Idempotent-Replayed"
	maxKeySize     = 255
)

// KeyOf returns the Idempotency-Key of a POST, or "" if it has none. It ignores the header of other
// methods, which are idempotent anyway. A malformed key is an error with status 400.
func KeyOf(r *http.Request) (string, error) {
	sent := r.Header.Values(Header)
	if r.Method != http.MethodPost || len(sent) == 0 {
		return "", nil
	}
	key := sent[0]
	good := len(sent) == 1 && key != "" && len(key) <= maxKeySize
	for _, b := range []byte(key) {
		good = good && b >= ' ' && b <= '~'
	}
	if !good {
		return "", &respond.HTTPError{
			Status: http.StatusBadRequest, Header: Header,
			Detail: "Idempotency-Key must be a single value of 1 to 255 printable ASCII characters",
		}
	}
	return key, nil
}

// Replayer replays recorded responses to requests with an idempotency key.
type Replayer struct {
	*respond.Responder
	UseCase *app.Idempotency
}

// Run calls h to handle the request, or replays the response recorded under the key. again reports
// whether it replayed a response. It returns idempotency.ErrKeyReused if the key was used for a
// different request. h may run more than once; all its writes are in one transaction.
func (r *Replayer) Run(c *gin.Context, asked app.IdempotentRequest, h func(c *gin.Context, a app.Actor) error) (again bool, err error) {
	x, outside, request := respond.StateOf(c), c.Writer, c.Request
	defer func() { c.Writer, c.Request, x.Recording = outside, request, false }()
	var first idempotency.Response
	answer, again, err := r.UseCase.Run(
		request.Context(), x.Actor, asked,
		func(ctx context.Context, a app.Actor) (idempotency.Response, error) {
			taken := newRecorder(outside)
			x.Secret, x.Recording = nil, true
			c.Writer, c.Request = taken, request.WithContext(ctx)
			if err := h(c, a); err != nil {
				return idempotency.Response{}, err
			}
			first = taken.response()
			switch {
			case x.Secret != nil:
				return secretShown(first, *x.Secret, x.MediaType)
			case int64(len(first.Body)) > maxRecorded(request.ContentLength):
				return tooLarge(x.MediaType)
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
	r.replayResponse(c, answer, again)
	return again, nil
}

// maxRecorded returns the maximum size of a recorded response to a request of the given size in
// bytes; -1: unknown. A response is kept for a day or longer. Responses to small requests can be
// large, for example those that repeat the questions of a quiz, so they could fill the store.
func maxRecorded(size int64) int64 { return 2<<10 + 3*max(0, size) }

// secretShown returns the response to record if the first response shows the secret of a record.
// Secrets are not stored, so retries are refused, with the record in meta. The recorded response is
// about the same records as the first one, such as the person of a learner token.
func secretShown(first idempotency.Response, of respond.Holder, mediaType string) (idempotency.Response, error) {
	e := respond.NewError(http.StatusConflict, "The first response to this Idempotency-Key contained a secret that is not shown again")
	e.Meta = respond.TakenMeta{Original: of}
	recorded, err := refusal(e, mediaType)
	recorded.About = first.Mentions()
	return recorded, err
}

// tooLarge returns the response to record if the first response is too large to be kept.
func tooLarge(mediaType string) (idempotency.Response, error) {
	return refusal(respond.NewError(http.StatusConflict, "The request was executed, and its response was too large to be kept"), mediaType)
}

// refusal returns the response to record if retries are refused with e.
func refusal(e jsonapi.Error, mediaType string) (idempotency.Response, error) {
	e.Source.Header = Header
	body, err := respond.Encode(jsonapi.Errors{Errors: []jsonapi.Error{e}})
	return idempotency.Response{Status: http.StatusConflict, ContentType: mediaType, Body: body}, err
}

// Explain maps idempotency.ErrKeyReused and idempotency.ErrErased to responses. It returns other
// errors unchanged.
func Explain(err error) error {
	if errors.Is(err, idempotency.ErrErased) {
		return &respond.HTTPError{
			Status: http.StatusConflict, Header: Header,
			Detail: "The recorded response to this Idempotency-Key was deleted because it referred to a person who has been deleted",
		}
	}
	if !errors.Is(err, idempotency.ErrKeyReused) {
		return err
	}
	return &respond.HTTPError{
		Status: http.StatusUnprocessableEntity, Header: Header,
		Detail: "This Idempotency-Key was already used for a different request",
	}
}

// RequestOf returns the identity of a request. Two requests are the same if all parts of their
// identity are equal. content is the body, or a digest of a large body. The API key is not a part,
// because a school can have several keys. The fingerprint depends on key, which is not stored, so
// that a person who can read the database cannot check whether a body contained a guessed address.
func RequestOf(c *gin.Context, key, contentType string, content ...[]byte) app.IdempotentRequest {
	parts := append([][]byte{[]byte(key), []byte(contentType)}, content...)
	for _, p := range respond.StateOf(c).Query {
		if p.Name != respond.KeyParameter {
			parts = append(parts, []byte(p.Name), []byte(p.Value))
		}
	}
	return app.IdempotentRequest{
		ID:          idempotency.NewID(c.Request.Method, c.Request.URL.EscapedPath(), key),
		Fingerprint: idempotency.NewFingerprint(parts...),
	}
}

func (r *Replayer) replayResponse(c *gin.Context, a idempotency.Response, again bool) {
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
