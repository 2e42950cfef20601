package httpapi

import (
	"github.com/gin-gonic/gin"
	"lyceum/app"
)

// handler answers a request of an actor, or returns the error that is to be
// answered instead. It passes c.Request.Context() on, never c itself: gin uses
// c again for the next request while a database may still hold it.
type handler func(c *gin.Context, a app.Actor) error

// handle makes a handler out of h that gin can run. A POST may be repeated under
// its Idempotency-Key.
func (s *server) handle(h handler) gin.HandlerFunc {
	return s.step(func(c *gin.Context) error {
		key, err := repeatKey(c.Request)
		switch {
		case err != nil:
			return err
		case key != "":
			return s.handleOnce(c, key, h)
		}
		return h(c, exchangeOf(c).actor)
	})
}

// handleAlone makes a handler out of one that looks after the Idempotency-Key,
// blank when there is none, itself.
func (s *server) handleAlone(h func(c *gin.Context, a app.Actor, key string) error) gin.HandlerFunc {
	return s.step(func(c *gin.Context) error {
		key, err := repeatKey(c.Request)
		if err != nil {
			return err
		}
		return h(c, exchangeOf(c).actor, key)
	})
}

// step makes a middleware out of one that may refuse the request by an error.
func (s *server) step(check func(c *gin.Context) error) gin.HandlerFunc {
	return func(c *gin.Context) {
		if err := check(c); err != nil {
			s.fail(c, err)
		}
	}
}
