package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/alexliesenfeld/health"
	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/redact"
	"lyceum/adapters/httpapi/respond"
	"lyceum/domain/fault"
)

// status is the document of the health paths.
type status struct {
	Status string `json:"status"`
	Reason string `json:"reason,omitempty"` // why requests, or submissions alone, cannot be served
}

// healthz says that the process runs.
func (s *server) healthz(c *gin.Context) error { return s.OK(c, status{Status: "up"}) }

// readyz says whether requests can be served now.
func (s *server) readyz(c *gin.Context) error {
	// Others get this answer too for a while: a client that goes away must not
	// make it a bad one.
	ctx := context.WithoutCancel(c.Request.Context())
	if s.cfg.Draining() {
		return s.notReady(c, status{Status: "draining"})
	}
	if result := s.checker.Check(ctx); result.Status != health.StatusUp {
		return s.notReady(c, status{Status: "down", Reason: reason(result, "The database does not answer")})
	}
	up := status{Status: "up"}
	if result := s.files.Check(ctx); result.Status != health.StatusUp {
		up.Reason = reason(result, "The folder of files does not answer") // all but submissions is served
	}
	return s.OK(c, up)
}

func (s *server) notReady(c *gin.Context, why status) error {
	c.Header("Retry-After", respond.RetryAfter)
	return s.Write(c, http.StatusServiceUnavailable, why)
}

// reason returns what a failed check says for everybody to read, or silent if the
// check did not end in time.
func reason(result health.CheckerResult, silent string) string {
	for _, check := range result.Details {
		for _, f := range fault.All(check.Error) {
			return f.Detail
		}
	}
	return silent
}

func newChecker(name string, ready func(context.Context) error, log *slog.Logger) health.Checker {
	return health.NewChecker(
		health.WithDisabledAutostart(), // nothing is asked before somebody asks this server
		health.WithCacheDuration(time.Second),
		health.WithTimeout(2*time.Second),
		health.WithCheck(health.Check{Name: name, Check: ready, StatusListener: tellReadiness(log)}),
	)
}

// tellReadiness returns what logs that the server is no longer ready and why,
// and that it is again. The checker calls it once for each change, of which
// the first answer of a server that is ready is none.
func tellReadiness(log *slog.Logger) func(context.Context, string, health.CheckState) {
	return func(ctx context.Context, check string, state health.CheckState) {
		switch {
		case state.Result != nil:
			log.WarnContext(ctx, "not ready", "check", check, "error", redact.Text(state.Result.Error()))
		case !state.LastFailureAt.IsZero():
			log.InfoContext(ctx, "ready again", "check", check)
		}
	}
}
