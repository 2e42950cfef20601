package httpapi

import (
	"log/slog"
	"net/http"
	"slices"

	"github.com/alexliesenfeld/health"
	"lyceum/adapters/httpapi/idempotency"
	"lyceum/adapters/httpapi/invitationpage"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/middleware"
	"lyceum/adapters/httpapi/respond"
	"lyceum/adapters/limiter"
	"lyceum/app"
)

// server contains what all handlers share.
type server struct {
	*respond.Responder
	app     *app.App
	replays *idempotency.Replayer
	cfg     Config
	links   Links
	pages   *invitationpage.Pages
	checker health.Checker
	files   health.Checker // health of the file storage, which does not affect readiness

	middleware *middleware.Middleware
	rates      limits.RateLimits

	version version // of the routes; empty: none
}

// API is the handler of all requests.
type API struct {
	http.Handler
	routes []middleware.Route
	lanes  limits.Lanes
	rates  limits.RateLimits
}

// Routes returns every route with its methods, including HEAD and PUT but not OPTIONS, which every
// path has.
func (a *API) Routes() []middleware.Route { return slices.Clone(a.routes) }

// Admission returns the statistics of each admission class by its name.
func (a *API) Admission() map[string]limiter.Stats {
	stats := map[string]limiter.Stats{}
	for name, lane := range a.lanes.Named() {
		stats[name] = lane.Stats()
	}
	return stats
}

// RateLimited returns the number of requests that each rate limit has refused, by its
// name.
func (a *API) RateLimited() map[string]int64 {
	refused := map[string]int64{}
	for _, l := range a.rates.All() {
		refused[l.Name] = l.Refused()
	}
	return refused
}

// New returns the API for the use cases a. It logs requests and failures, without keys, email
// addresses and queries.
func New(a *app.App, cfg Config, log *slog.Logger) *API {
	cfg = cfg.withDefaults()
	answers := &respond.Responder{Log: log, Lanes: limits.NewLanes(cfg.Admission), Compress: !cfg.NoCompression}
	rates := limits.NewRateLimits(cfg.Rates)
	m := middleware.New(answers, a.Auth, rates, limits.NewSpacings(cfg.Admission), cfg.middleware())
	s := &server{
		Responder: answers, replays: &idempotency.Replayer{Responder: answers, UseCase: a.Idempotency},
		app: a, cfg: cfg, links: cfg.Links, checker: newChecker("store", a.Health.Ready, log),
		files:      newChecker("files", a.Health.FilesReady, log),
		middleware: m,
		rates:      rates,
	}
	var err error
	if s.pages, err = invitationpage.New(cfg.Look); err != nil {
		s.pages, _ = invitationpage.New(invitationpage.Look{}) // a template was changed after its validation
		log.Error("the standard page of invitations is used", slog.Any("error", err))
	}
	engine, routes := m.Engine()
	s.register(&routing{routes})
	return &API{Handler: middleware.PlainPaths(engine), routes: routes.All(), lanes: s.Lanes, rates: rates}
}
