package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/alexliesenfeld/health"
	"github.com/gin-gonic/gin"
	"lyceum/app"
)

// status is the document of the health paths.
type status struct {
	Status string `json:"status"`
}

// healthz says that the process runs.
func (s *server) healthz(c *gin.Context) error { return s.ok(c, status{"up"}) }

// readyz says whether requests can be served now.
func (s *server) readyz(c *gin.Context) error {
	// Others get this answer too for a while: a client that goes away must not
	// make it a bad one.
	ctx := context.WithoutCancel(c.Request.Context())
	switch {
	case s.cfg.Draining():
		return s.notReady(c, "draining")
	case s.checker.Check(ctx).Status != health.StatusUp:
		return s.notReady(c, "down")
	}
	return s.ok(c, status{"up"})
}

func (s *server) notReady(c *gin.Context, why string) error {
	c.Header("Retry-After", retryAfter)
	return s.write(c, http.StatusServiceUnavailable, status{why})
}

func newChecker(h *app.Health) health.Checker {
	return health.NewChecker(
		health.WithCacheDuration(time.Second),
		health.WithTimeout(2*time.Second),
		health.WithCheck(health.Check{Name: "store", Check: h.Ready}),
	)
}
