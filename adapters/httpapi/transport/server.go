package transport

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"lyceum/adapters/httpapi/transport/connections"
)

// ReadTimeout is how long a whole request may take to arrive. If a handler reads the body late, it
// sets a new deadline.
const ReadTimeout = 15 * time.Second

// The other limits of a connection. writeTimeout leaves time for the handler and a slow
// client.
const (
	readHeaderTimeout = 5 * time.Second
	writeTimeout      = 60 * time.Second
	idleTimeout       = 120 * time.Second
	maxHeaderBytes    = 64<<10 - 4<<10 // net/http allows 4 KiB more
)

// HandlerFunc creates the handler of a server that listens on url, such as http://127.0.0.1:8080.
// By default, links start with this URL.
type HandlerFunc func(url string) (http.Handler, error)

// Server listens for requests and serves them. It starts and stops once.
type Server struct {
	cfg      Config
	log      *slog.Logger
	draining atomic.Bool
	failed   chan error
	served   chan struct{}

	connections *connections.Limiter

	// Set by Start.
	http        *http.Server
	url         string
	fingerprint string
}

// New returns a server that does not listen yet. An invalid Config is an error.
func New(cfg Config, log *slog.Logger) (*Server, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg, log: log, failed: make(chan error, 1), served: make(chan struct{})}
	s.connections = connections.New(connections.Config{
		Max: cfg.MaxConnections, PerNetwork: cfg.PerNetwork, Trusted: s.trusts,
	}, log)
	return s, nil
}

// Start listens, creates the handler, and serves it in the background. If the port is
// taken, the certificate cannot be read or the handler cannot be created, it returns an
// error and does not listen.
func (s *Server) Start(ctx context.Context, handler HandlerFunc) error {
	pair, err := s.certificates()
	if err != nil {
		return err
	}
	listener, err := s.listen(ctx)
	if err != nil {
		return err
	}
	s.url = s.cfg.Mode.Scheme() + "://" + reachable(listener.Addr())
	h, err := handler(s.url)
	if err != nil {
		_ = listener.Close()
		return err
	}
	s.http = &http.Server{
		Handler:           h,
		TLSConfig:         pair,
		ErrorLog:          errorLog(s.log),
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       ReadTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ConnState:         s.connections.Changed,

		DisableGeneralOptionsHandler: true, // the API handles OPTIONS *
	}
	go s.serve(s.connections.Listener(listener))
	return nil
}

func (s *Server) serve(listener net.Listener) {
	defer close(s.served)
	var err error
	if s.http.TLSConfig != nil {
		err = s.http.ServeTLS(listener, "", "")
	} else {
		err = s.http.Serve(listener)
	}
	if !errors.Is(err, http.ErrServerClosed) {
		s.failed <- err
	}
}

// Stop shuts the server down. Draining reports true at once. Requests are accepted for another
// ShutdownDelay; then running requests have ShutdownTimeout to finish. Requests that still run at
// that time, or when ctx ends, are aborted, and Stop returns an error.
func (s *Server) Stop(ctx context.Context) error {
	s.draining.Store(true)
	if s.http == nil {
		return nil
	}
	s.http.SetKeepAlivesEnabled(false)
	select {
	case <-time.After(s.cfg.ShutdownDelay):
	case <-ctx.Done():
	}
	ctx, cancel := context.WithTimeout(ctx, s.cfg.ShutdownTimeout)
	defer cancel()
	err := s.http.Shutdown(ctx)
	if err != nil {
		_ = s.http.Close()
		err = fmt.Errorf("requests were aborted because they exceeded shutdown.timeout: %w", err)
	}
	<-s.served
	return err
}

// Draining reports whether Stop was called.
func (s *Server) Draining() bool { return s.draining.Load() }

// Failed returns a channel that receives an error if the server stops by itself.
func (s *Server) Failed() <-chan error { return s.failed }

// Connections returns counts of the open connections.
func (s *Server) Connections() connections.Stats { return s.connections.Stats() }

// URL returns the scheme and address that the server listens on, with localhost for a
// wildcard address; empty before Start.
func (s *Server) URL() string { return s.url }

// Fingerprint returns the SHA-256 of the certificate at start, as AB:CD:…; empty before
// Start and without TLS.
func (s *Server) Fingerprint() string { return s.fingerprint }
