package httpapi

import (
	"log/slog"
	"net/http"
	"net/netip"
	"slices"

	"lyceum/adapters/httpapi/idempotency"
	"lyceum/adapters/httpapi/invitationpage"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/lists"
	"lyceum/adapters/httpapi/middleware"
	"lyceum/adapters/httpapi/respond"
	"lyceum/adapters/limiter"
	"lyceum/app"
)

// server contains the parts that all handlers share.
type server struct {
	*respond.Responder
	app     *app.App
	replays *idempotency.Replayer
	cfg     Config
	links   Links
	pages   *invitationpage.Pages

	middleware *middleware.Middleware
	rates      limits.RateLimits
	waits      *lists.Waits
	lists      *lists.Server

	version version // version of the routes; empty: none
}

// API is the handler of all requests to the server.
type API struct {
	http.Handler
	routes []middleware.Route
	lanes  limits.Lanes
	rates  limits.RateLimits

	address func(r *http.Request) netip.Addr
	v2      *server
}

// Routes returns every route with its methods, including HEAD and PUT but not OPTIONS, which every
// path has.
func (a *API) Routes() []middleware.Route { return slices.Clone(a.routes) }

// Admission returns the statistics of each lane by its name.
func (a *API) Admission() map[string]limiter.Stats {
	stats := map[string]limiter.Stats{}
	for name, lane := range a.lanes.Named() {
		stats[name] = lane.Stats()
	}
	return stats
}

// Check returns an error if the network of a client has sent too many unknown tokens. It sets
// headers in h.
func (a *API) Check(h http.Header, r *http.Request) error {
	return a.rates.UnknownTokens.Check(h, limiter.Network(a.address(r)))
}

// Take counts an unknown token, or another attempt that a network must not repeat often. It returns
// an error under the same condition as Check.
func (a *API) Take(h http.Header, r *http.Request) error {
	return a.rates.UnknownTokens.Take(h, limiter.Network(a.address(r)))
}

// TakeEmail counts an email that a client has requested, and reports whether it may go to a stranger:
// false if the network of the client has requested too many within an hour.
func (a *API) TakeEmail(r *http.Request) bool {
	_, ok := a.rates.Emails.Take(limiter.Network(a.address(r)))
	return ok
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
	neighbors := new(limiter.Neighbors)
	answers := &respond.Responder{
		Log: log, Lanes: limits.NewLanes(cfg.Admission, neighbors),
		Spacings: limits.NewSpacings(cfg.Admission, neighbors), PageBytes: cfg.PageBytes, Compress: !cfg.NoCompression,
		TimeLimit: cfg.TimeLimit, UploadPause: cfg.UploadPause, UploadRate: cfg.UploadRate,
	}
	rates := limits.NewRateLimits(cfg.Rates)
	m := middleware.New(answers, a.Auth, rates, cfg.middleware())
	s := &server{
		Responder: answers, replays: &idempotency.Replayer{Responder: answers, UseCase: a.Idempotency},
		app: a, cfg: cfg, links: cfg.Links,
		middleware: m,
		waits:      lists.NewWaits(a.Changes.Last, cfg.Draining),
		rates:      rates,
	}
	s.lists = s.newLists()
	var err error
	if s.pages, err = invitationpage.New(cfg.Look); err != nil {
		s.pages, _ = invitationpage.New(invitationpage.Look{}) // only if a template was changed after its validation
		log.Error("the standard page of invitations is used", slog.Any("error", err))
	}
	engine, routes := m.Engine(s.noRoute)
	s.register(&routing{routes})
	return &API{Handler: middleware.PlainPaths(engine), routes: routes.All(), lanes: s.Lanes, rates: rates, address: cfg.Address, v2: s.in(v2)}
}
