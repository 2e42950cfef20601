package server

import (
	"context"
	"time"

	"go.uber.org/dig"
	"go.uber.org/fx"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/httpapi/transport"
	"lyceum/app"
)

// cleanup is the maximum time that all parts except the transport may take to stop.
const cleanup = 5 * time.Second

// Server is an assembled server.
type Server struct {
	fx          *fx.App
	app         *app.App
	transport   *transport.Server
	links       httpapi.Links // base URLs as configured
	stopTimeout time.Duration // time limit of Stop
}

// New assembles a server with the fx options in further added to its own. With the store Postgres,
// it opens the database. The server does not listen until Start is called.
func New(cfg Config, further ...fx.Option) (*Server, error) {
	s := &Server{links: cfg.Links, stopTimeout: cfg.Transport.ShutdownDelay + cfg.Transport.ShutdownTimeout + cleanup}
	s.fx = fx.New(Options(cfg), fx.Options(further...), fx.Populate(&s.app, &s.transport))
	if err := s.fx.Err(); err != nil {
		return nil, dig.RootCause(err)
	}
	return s, nil
}

// App returns the use cases. They may be called before Start, for example to load schools into
// memory.
func (s *Server) App() *app.App { return s.app }

// Start starts to listen, and serves requests in the background.
func (s *Server) Start(ctx context.Context) error { return s.fx.Start(ctx) }

// Stop shuts the server down as described at transport.Server.Stop, and releases its resources. The
// shutdown settings limit its duration.
func (s *Server) Stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), s.stopTimeout)
	defer cancel()
	return s.fx.Stop(ctx)
}

// Failed returns a channel that receives the error that ends the server.
func (s *Server) Failed() <-chan error { return s.transport.Failed() }

// URL returns the scheme and address of the listener, or "" before Start.
func (s *Server) URL() string { return s.transport.URL() }

// Links returns the base URLs of all links of the server. It must not be called before Start.
func (s *Server) Links() httpapi.Links { return linksOn(s.transport.URL(), s.links) }

// Fingerprint returns the SHA-256 of the certificate, or "" without TLS.
func (s *Server) Fingerprint() string { return s.transport.Fingerprint() }
