package server

import (
	"context"
	"time"

	"go.uber.org/dig"
	"go.uber.org/fx"
	"lyceum/adapters/httpapi/transport"
	"lyceum/app"
)

// cleanup is the maximum time that the parts other than the transport may take to stop.
const cleanup = 5 * time.Second

// Server is an assembled server.
type Server struct {
	fx          *fx.App
	app         *app.App
	transport   *transport.Server
	stopTimeout time.Duration // time limit of Stop
}

// New assembles a server with additional options. On the store Postgres it opens the database.
// The server does not listen before Start.
func New(cfg Config, further ...fx.Option) (*Server, error) {
	s := &Server{stopTimeout: cfg.Transport.ShutdownDelay + cfg.Transport.ShutdownTimeout + cleanup}
	s.fx = fx.New(Options(cfg), fx.Options(further...), fx.Populate(&s.app, &s.transport))
	if err := s.fx.Err(); err != nil {
		return nil, dig.RootCause(err)
	}
	return s, nil
}

// App returns the use cases. They may be called before Start, for example to load schools into
// memory.
func (s *Server) App() *app.App { return s.app }

// Start starts to listen and serves in the background.
func (s *Server) Start(ctx context.Context) error { return s.fx.Start(ctx) }

// Stop shuts the server down, see transport.Server.Stop, and releases its resources. It takes
// at most as long as the settings allow.
func (s *Server) Stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), s.stopTimeout)
	defer cancel()
	return s.fx.Stop(ctx)
}

// Failed returns a channel that receives the error that ends the server.
func (s *Server) Failed() <-chan error { return s.transport.Failed() }

// URL returns the scheme and address of the listener; blank before Start.
func (s *Server) URL() string { return s.transport.URL() }

// Fingerprint returns the SHA-256 of the certificate; blank without TLS.
func (s *Server) Fingerprint() string { return s.transport.Fingerprint() }
