package middleware

import (
	"context"
	"net/http"
	"net/netip"
	"time"

	"github.com/gin-gonic/gin"
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
	BodyLimit int64 // bytes
	BodyTime  time.Duration
	TimeLimit time.Duration
	// ExportTime is the time limit of a whole list.
	ExportTime time.Duration
	Address    func(r *http.Request) netip.Addr // of the client
	Client     func(r *http.Request) netip.Addr // of the client, for the log; nil: not logged
	Observe    Observer
}

// Transport reports whether a request may be served over its connection, and whether it came by
// HTTPS.
type Transport func(r *http.Request) (answerable, https bool)

// Observer is called for each request after its response, with the method, the template of the
// route (empty if the request has none), the status, the bytes of the body, and the time that the
// request took.
type Observer func(method, route string, status, bytes int, took time.Duration)

// Authenticator finds the actor of an API key.
type Authenticator interface {
	// Authenticate returns the actor; Unauthenticated if the key is unknown or not valid.
	Authenticate(ctx context.Context, secret string) (usecase.Actor, error)
	// Unseen reports whether Authenticate has to look the key up in the store.
	Unseen(secret string) bool
}

// Middleware is the middleware of all requests.
type Middleware struct {
	*respond.Responder
	cfg      Config
	auth     Authenticator
	rates    limits.RateLimits
	spacings limits.Spacings
	routes   *Routes
}

// New returns the middleware.
func New(r *respond.Responder, auth Authenticator, rates limits.RateLimits, spacings limits.Spacings, cfg Config) *Middleware {
	return &Middleware{Responder: r, cfg: cfg, auth: auth, rates: rates, spacings: spacings}
}

// Engine returns an engine whose requests pass through the middleware in the order below. It also
// returns the engine's routes, which are empty.
func (m *Middleware) Engine() (*gin.Engine, *Routes) {
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	e.RedirectTrailingSlash = false // PlainPaths serves both paths; a redirect would be HTML
	e.RedirectFixedPath = false
	e.HandleMethodNotAllowed = true
	e.UseEscapedPath = true // an escaped slash does not separate segments
	e.UnescapePathValues = false
	_ = e.SetTrustedProxies(nil) // gin does not determine the address of clients here

	e.Use(
		m.setRequestID,
		m.accessLog,
		m.recoverPanics,
		m.timeLimit,
		m.securityHeaders,
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
		keyed: []gin.HandlerFunc{m.Guard(checkScope), m.markDeprecated, m.admit},
	}
	return e, m.routes
}
