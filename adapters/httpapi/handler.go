package httpapi

import (
	"bytes"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/idempotency"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
)

// handler answers a request of an actor, or returns the error that is to be
// answered instead. It passes c.Request.Context() on, never c itself: gin uses
// c again for the next request while a database may still hold it.
type handler func(c *gin.Context, a app.Actor) error

// handle makes a handler out of h that gin can run. A POST may be repeated under
// its Idempotency-Key.
func (s *server) handle(h handler) gin.HandlerFunc {
	return s.Step(func(c *gin.Context) error {
		key, err := idempotency.KeyOf(c.Request)
		switch {
		case err != nil:
			return err
		case key != "":
			return s.handleOnce(c, key, h)
		}
		return h(c, respond.StateOf(c).Actor)
	})
}

// handleAlone makes a handler out of one that looks after the Idempotency-Key,
// blank when there is none, itself.
func (s *server) handleAlone(h func(c *gin.Context, a app.Actor, key string) error) gin.HandlerFunc {
	return s.Step(func(c *gin.Context) error {
		key, err := idempotency.KeyOf(c.Request)
		if err != nil {
			return err
		}
		return h(c, respond.StateOf(c).Actor, key)
	})
}

// handleOnce lets h answer the request, or answers as the first time. The
// whole body is read before.
func (s *server) handleOnce(c *gin.Context, key string, h handler) error {
	body, err := s.readBody(c)
	if err != nil {
		return err
	}
	request := c.Request
	_, err = s.replays.Once(c, idempotency.RequestOf(c, key, c.Request.Header.Get("Content-Type"), body), func(c *gin.Context, a app.Actor) error {
		c.Request = request.WithContext(c.Request.Context())
		c.Request.Body = &heldBody{bytes.NewReader(body), request.Body, body}
		return h(c, a)
	})
	return idempotency.Explain(err)
}
