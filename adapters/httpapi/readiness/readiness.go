// Package readiness serves the paths that report whether the process runs and whether it can serve
// requests.
package readiness

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

// Probes responds to the requests of load balancers.
type Probes struct {
	responder *respond.Responder
	draining  func() bool
	store     health.Checker
	files     health.Checker // health of the file storage, on which readiness does not depend
}

// New returns the probes of a server. draining reports whether the server is about to stop. store
// and files return the reason why the storage cannot be used, or nil.
func New(r *respond.Responder, draining func() bool, store, files func(context.Context) error) *Probes {
	return &Probes{
		responder: r, draining: draining, store: newChecker("store", store, r.Log), files: newChecker("files", files, r.Log),
	}
}

// status is the document of both paths.
type status struct {
	Status string `json:"status"`
	Reason string `json:"reason,omitempty"` // why no requests, or no submissions, can be served
}

// Live responds with 200 while the process runs.
func (p *Probes) Live(c *gin.Context) error { return p.responder.WriteOK(c, status{Status: "up"}) }

// Ready responds with 200 if requests can be served now, otherwise with 503.
func (p *Probes) Ready(c *gin.Context) error {
	// The result is cached and shared, so a client that disconnects must not cancel the
	// check.
	ctx := context.WithoutCancel(c.Request.Context())
	if p.draining() {
		return p.notReady(c, status{Status: "draining"})
	}
	if result := p.store.Check(ctx); result.Status != health.StatusUp {
		return p.notReady(c, status{Status: "down", Reason: reason(result, "The database is unreachable")})
	}
	up := status{Status: "up"}
	if result := p.files.Check(ctx); result.Status != health.StatusUp {
		up.Reason = reason(result, "The file directory is unreachable") // everything except submissions works
	}
	return p.responder.WriteOK(c, up)
}

func (p *Probes) notReady(c *gin.Context, why status) error {
	c.Header("Retry-After", respond.RetryAfter)
	return p.responder.Write(c, http.StatusServiceUnavailable, why)
}

// reason returns the public detail of a failed check, or fallback if its error has none, such as a
// timeout.
func reason(result health.CheckerResult, fallback string) string {
	for _, check := range result.Details {
		for _, f := range fault.All(check.Error) {
			return f.Detail
		}
	}
	return fallback
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
