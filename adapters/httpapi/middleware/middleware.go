package middleware

import (
	"context"
	"net/http"
	"net/netip"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/rs/cors"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app/usecase"
)

// Config is the configuration of the middleware. All functions except Client are required.
type Config struct {
	Transport Transport
	// LocalOnly refuses requests for hosts other than this machine, and requests from web pages of
	// other hosts.
	LocalOnly bool
	// Origins contains the origins of web pages that may call the API, or "*" alone for every
	// origin; empty: none.
	Origins   []string
	BodyLimit int64 // bytes
	BodyTime  time.Duration
	TimeLimit time.Duration
	// ListTime is the time limit of a whole list.
	ListTime time.Duration
	Address  func(r *http.Request) netip.Addr // address of the client
	Client   func(r *http.Request) netip.Addr // address of the client for the log; nil: not logged
	Observe  Observer
	Reads    ReplicaReads
}

// Transport reports whether the server may respond to a request over its connection, and whether
// the request came by HTTPS.
type Transport func(r *http.Request) (answerable, https bool)

// Observer is called for each request after its response, with the method, the path template of the
// route ("" without a route), the status, the size of the response body in bytes, and the duration
// of the request.
type Observer func(method, route string, status, bytes int, took time.Duration)

// Authenticator finds the actor of an API key or a token.
type Authenticator interface {
	// Authenticate returns the actor of a key or a token, or Unauthenticated if secret is unknown
	// or not valid.
	Authenticate(ctx context.Context, secret string) (usecase.Actor, error)
	// WellFormed reports whether secret has the form of a key or a token. Authenticate refuses
	// other secrets without a lookup.
	WellFormed(secret string) bool
	// Unseen reports whether secret is well-formed but has not been valid before. It may be a
	// guess, and Authenticate has to look it up in the store.
	Unseen(secret string) bool
}

// Middleware contains the checks that every request passes before its handler.
type Middleware struct {
	*respond.Responder
	cfg    Config
	auth   Authenticator
	rates  limits.RateLimits
	routes *Routes
	cors   *cors.Cors // nil: no origin is allowed
}

// New returns the middleware. auth authenticates the keys and tokens of requests.
func New(r *respond.Responder, auth Authenticator, rates limits.RateLimits, cfg Config) *Middleware {
	m := &Middleware{Responder: r, cfg: cfg, auth: auth, rates: rates}
	if len(cfg.Origins) > 0 {
		m.cors = newCORS(cfg.Origins)
	}
	return m
}

// Engine returns an engine whose requests pass through the middleware in the order below. It also
// returns the engine's routes, which are empty. noRoute handles requests for a path that does not
// exist.
func (m *Middleware) Engine(noRoute func(c *gin.Context) error) (*gin.Engine, *Routes) {
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	e.RedirectTrailingSlash = false // PlainPaths handles trailing slashes; gin's redirect would contain HTML
	e.RedirectFixedPath = false
	e.HandleMethodNotAllowed = true
	e.UseEscapedPath = true // an escaped slash does not separate segments
	e.UnescapePathValues = false
	_ = e.SetTrustedProxies(nil) // Config.Address determines the address of clients, not gin

	e.Use(
		m.setRequestID,
		m.trace,
		m.accessLog,
		m.recoverPanics,
		m.timeLimit,
		m.securityHeaders,
		m.Guard(m.crossOrigin),
		m.Guard(m.checkHeaders),
		negotiate,
		m.Guard(m.checkTransport),
		m.Guard(m.checkQuery),
		m.Guard(m.authenticate),
		m.Guard(checkAccept),
	)
	e.NoRoute(m.Guard(noRoute))
	e.NoMethod(m.Guard(noMethod))
	m.routes = &Routes{
		engine: e, attributes: map[endpoint]*respond.Attributes{}, words: map[string]bool{},
		keyed: []gin.HandlerFunc{m.Guard(checkScope), m.markDeprecated, m.admit, replicaReads(m.cfg.Reads)},
	}
	return e, m.routes
}
