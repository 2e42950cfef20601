package server

import (
	"context"
	"time"

	"go.uber.org/dig"
	"go.uber.org/fx"
	"lyceum/adapters/httpapi/transport"
	"lyceum/app"
)

// cleanup is how long the parts behind the transport have to stop.
const cleanup = 5 * time.Second

// Server is an assembled server.
type Server struct {
	fx        *fx.App
	app       *app.App
	transport *transport.Server
	patience  time.Duration // how long Stop may take
}

// New assembles a server of cfg, with further options if there are any. On the
// store Postgres it opens the database. It does not listen yet.
func New(cfg Config, further ...fx.Option) (*Server, error) {
	s := &Server{patience: cfg.Transport.ShutdownDelay + cfg.Transport.ShutdownTimeout + cleanup}
	s.fx = fx.New(Options(cfg), fx.Options(further...), fx.Populate(&s.app, &s.transport))
	if err := s.fx.Err(); err != nil {
		return nil, dig.RootCause(err)
	}
	return s, nil
}

// App returns the server's use cases. They may be called before Start, which is
// how a store in memory gets its schools.
func (s *Server) App() *app.App { return s.app }

// Start listens and serves beside the caller. When it returns without an error,
// requests are answered.
func (s *Server) Start(ctx context.Context) error { return s.fx.Start(ctx) }

// Stop ends the server in good order, as transport.Server's Stop says, and
// releases what it holds. It takes no longer than the settings for it allow.
func (s *Server) Stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), s.patience)
	defer cancel()
	return s.fx.Stop(ctx)
}

// Failed returns the channel on which the error arrives that makes the server
// end by itself.
func (s *Server) Failed() <-chan error { return s.transport.Failed() }

// URL returns the scheme and address really listened on; blank before Start.
func (s *Server) URL() string { return s.transport.URL() }

// Fingerprint returns the SHA-256 of the certificate, blank without TLS.
func (s *Server) Fingerprint() string { return s.transport.Fingerprint() }
