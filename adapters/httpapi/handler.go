package httpapi

import (
	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/idempotency"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/middleware"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
	"lyceum/domain/fault"
)

// handler handles a request of an actor, or returns the error for the response. It must pass
// c.Request.Context() to use cases, never c: gin reuses c for the next request while a database may
// still use it.
type handler func(c *gin.Context, a app.Actor) error

// handle returns the gin handler that calls h. A POST with an Idempotency-Key is idempotent.
func (s *server) handle(h handler) gin.HandlerFunc {
	return s.Guard(func(c *gin.Context) error {
		key, err := idempotency.KeyOf(c.Request)
		switch {
		case err != nil:
			return err
		case key != "":
			return s.handleIdempotent(c, key, h)
		}
		return h(c, respond.StateOf(c).Actor)
	})
}

// handleUnwrapped returns a gin handler that calls h with the Idempotency-Key of the request, or
// with "" if there is none. h handles retries itself.
func (s *server) handleUnwrapped(h func(c *gin.Context, a app.Actor, key string) error) gin.HandlerFunc {
	return s.Guard(func(c *gin.Context) error {
		key, err := idempotency.KeyOf(c.Request)
		if err != nil {
			return err
		}
		return h(c, respond.StateOf(c).Actor, key)
	})
}

// handleIdempotent reads the whole body, then calls h or replays the response recorded
// under the key.
func (s *server) handleIdempotent(c *gin.Context, key string, h handler) error {
	body, err := middleware.ReadBody(c)
	if err != nil {
		return err
	}
	request := c.Request
	_, err = s.replays.Run(c, idempotency.RequestOf(c, key, c.Request.Header.Get("Content-Type"), body), func(c *gin.Context, a app.Actor) error {
		c.Request = request.WithContext(c.Request.Context())
		c.Request.Body = middleware.NewBufferedBody(body, request.Body)
		return h(c, a)
	})
	return idempotency.Explain(err)
}

// collectFaults runs the use case do. If the document already has faults, it runs do as a dry run,
// so that the response lists all faults together: faults of the document, violated rules, and
// conflicts with other records.
func collectFaults[T any](known []error, a app.Actor, do func(a app.Actor) (T, error)) (T, error) {
	if len(known) == 0 {
		return do(a)
	}
	var none T
	_, found := do(a.DryRun())
	return none, request.JoinFaults(fault.Join(known...), found)
}

// collectBatchFaults is like collectFaults, but for a batch. Each fault of do has the row of its
// document; the row is removed if the request contains a single document.
func collectBatchFaults[T any](b request.Batch, a app.Actor, do func(a app.Actor) (T, error)) (T, error) {
	return collectFaults(b.Faults(), a, func(a app.Actor) (T, error) {
		done, err := do(a)
		if !b.Many {
			const alone = -1
			err = fault.AtRow(err, alone)
		}
		return done, err
	})
}
