package httpapi

import (
	"log/slog"
	"net/http"
	"slices"

	"github.com/alexliesenfeld/health"
	"github.com/gin-gonic/gin"
	"lyceum/adapters/admission"
	"lyceum/adapters/httpapi/idempotency"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
)

// server is what the handlers share.
type server struct {
	*respond.Responder
	app     *app.App
	replays *idempotency.Replayer
	cfg     Config
	links   Links
	checker health.Checker
	files   health.Checker // of what a server that is ready can do without

	words      map[string]bool          // that the paths of routes are made of
	attributes map[endpoint]*attributes // of the routes

	rates limits.RateLimits // which bound how often they are sent

	spacings limits.Spacings // of requests that come in bursts

	version version // which the routes of the handlers belong to; blank: none
}

// API is the HTTP API as one handler.
type API struct {
	http.Handler
	routes []Route
	lanes  limits.Lanes
	rates  limits.RateLimits
}

// Routes returns every route, HEAD and PUT among the methods; OPTIONS, which
// every path answers, is not.
func (a *API) Routes() []Route { return slices.Clone(a.routes) }

// Admission returns the figures of each class of requests, by its name.
func (a *API) Admission() map[string]admission.Stats {
	stats := map[string]admission.Stats{}
	for name, lane := range a.lanes.Named() {
		stats[name] = lane.Stats()
	}
	return stats
}

// RateLimited returns how many requests each rate limit refused since the start, by
// its name.
func (a *API) RateLimited() map[string]int64 {
	refused := map[string]int64{}
	for _, l := range a.rates.All() {
		refused[l.Name] = l.Refused()
	}
	return refused
}

// New returns the API over the use cases a. Requests and failures are written
// to log, without keys, addresses of people or queries.
func New(a *app.App, cfg Config, log *slog.Logger) *API {
	cfg = cfg.withDefaults()
	answers := &respond.Responder{Log: log, Lanes: limits.NewLanes(cfg.Admission)}
	s := &server{
		Responder: answers, replays: &idempotency.Replayer{Responder: answers, Repeats: a.Repeats},
		app: a, cfg: cfg, links: cfg.Links, checker: newChecker("store", a.Health.Ready, log),
		files:    newChecker("files", a.Health.FilesReady, log),
		rates:    limits.NewRateLimits(cfg.Rates),
		spacings: limits.NewSpacings(cfg.Admission),
	}

	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	e.RedirectTrailingSlash = false // plainPaths serves both; a redirect would be HTML
	e.RedirectFixedPath = false
	e.HandleMethodNotAllowed = true
	e.UseEscapedPath = true // so that an escaped slash does not part segments
	e.UnescapePathValues = false
	_ = e.SetTrustedProxies(nil) // nobody asks gin for a client's address

	e.Use(
		s.identify,
		s.record,
		s.survive,
		s.limitTime,
		secure,
		s.Step(s.checkHeaders),
		negotiate,
		s.Step(s.checkTransport),
		s.Step(s.checkQuery),
		s.Step(s.authenticate),
		s.Step(checkAccept),
	)
	e.NoRoute(s.Step(noRoute))
	e.NoMethod(s.Step(noMethod))
	r := &routing{engine: e, check: s.checkScope, admit: s.admit, attributes: map[endpoint]*attributes{}}
	s.register(r)
	s.words, s.attributes = routeWords(r.routes), r.attributes
	return &API{Handler: plainPaths(e), routes: r.routes, lanes: s.Lanes, rates: s.rates}
}
