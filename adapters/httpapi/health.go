package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/alexliesenfeld/health"
	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/respond"
	"lyceum/adapters/redact"
	"lyceum/domain/fault"
)

// healthStatus is the document of the health paths.
type healthStatus struct {
	Status string `json:"status"`
	Reason string `json:"reason,omitempty"` // why no requests, or no submissions, can be served
}

// healthz responds with 200 while the process runs.
func (s *server) healthz(c *gin.Context) error { return s.WriteOK(c, healthStatus{Status: "up"}) }

// readyz responds with 200 if requests can be served now, otherwise with 503.
func (s *server) readyz(c *gin.Context) error {
	// The result is cached and shared, so a client that disconnects must not cancel the
	// check.
	ctx := context.WithoutCancel(c.Request.Context())
	if s.cfg.Draining() {
		return s.notReady(c, healthStatus{Status: "draining"})
	}
	if result := s.checker.Check(ctx); result.Status != health.StatusUp {
		return s.notReady(c, healthStatus{Status: "down", Reason: reason(result, "The database is unreachable")})
	}
	up := healthStatus{Status: "up"}
	if result := s.files.Check(ctx); result.Status != health.StatusUp {
		up.Reason = reason(result, "The file directory is unreachable") // everything except submissions works
	}
	return s.WriteOK(c, up)
}

func (s *server) notReady(c *gin.Context, why healthStatus) error {
	c.Header("Retry-After", respond.RetryAfter)
	return s.Write(c, http.StatusServiceUnavailable, why)
}

// reason returns the public detail of a failed check, or silent if its error has none, such as a
// timeout.
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
		health.WithDisabledAutostart(), // no check runs before the first request
		health.WithCacheDuration(time.Second),
		health.WithTimeout(2*time.Second),
		health.WithCheck(health.Check{Name: name, Check: ready, StatusListener: logReadiness(log)}),
	)
}

// logReadiness returns a listener that logs when the server becomes unready, with the reason, and
// when it becomes ready again. The checker calls the listener once for each change. An initial
// result of ready is not logged.
func logReadiness(log *slog.Logger) func(context.Context, string, health.CheckState) {
	return func(ctx context.Context, check string, state health.CheckState) {
		switch {
		case state.Result != nil:
			log.WarnContext(ctx, "not ready", "check", check, "error", redact.Text(state.Result.Error()))
		case !state.LastFailureAt.IsZero():
			log.InfoContext(ctx, "ready again", "check", check)
		}
	}
}
