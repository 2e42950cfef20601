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
)

// ReadTimeout is the time in which a whole request has to arrive. A handler that reads
// the body late gives it this time again.
const ReadTimeout = 15 * time.Second

// What else a connection may take. writeTimeout leaves a handler time and a slow client
// the rest.
const (
	readHeaderTimeout = 5 * time.Second
	writeTimeout      = 60 * time.Second
	idleTimeout       = 120 * time.Second
	maxHeaderBytes    = 64<<10 - 4<<10 // the library allows 4 KiB more than it is told
)

// Maker makes the handler for a server that listens on url, such as
// http://127.0.0.1:8080, which is where its links point unless told otherwise.
type Maker func(url string) (http.Handler, error)

// Server listens and serves. New makes one; it starts and stops once.
type Server struct {
	cfg      Config
	log      *slog.Logger
	draining atomic.Bool
	failed   chan error
	served   chan struct{}

	// These are set by Start.
	http        *http.Server
	url         string
	fingerprint string
}

// New returns a server that does not listen yet. A Config that does not validate
// is refused.
func New(cfg Config, log *slog.Logger) (*Server, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Server{cfg: cfg, log: log, failed: make(chan error, 1), served: make(chan struct{})}, nil
}

// Start listens, then has the handler made, and serves it beside the caller. A port that is taken, a
// pair that cannot be read and a handler that cannot be made end it with an
// error; then nothing is listening.
func (s *Server) Start(ctx context.Context, handler Maker) error {
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

		DisableGeneralOptionsHandler: true, // OPTIONS * is the API's to answer, as everything is
	}
	go s.serve(listener)
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

// Stop ends the server in good order: readiness says no, for ShutdownDelay
// everything is still answered, then nothing new is accepted and requests in
// flight have ShutdownTimeout to finish. Those that have not finished then, or
// when ctx ends, are cut off, which is an error.
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
		err = fmt.Errorf("requests were cut off, they were still running at the end of shutdown.timeout: %w", err)
	}
	<-s.served
	return err
}

// Draining tells whether Stop was called: nothing new should be sent here.
func (s *Server) Draining() bool { return s.draining.Load() }

// Failed returns the channel on which the server's error arrives if it ends by
// itself.
func (s *Server) Failed() <-chan error { return s.failed }

// URL returns the scheme and address really listened on, a wildcard address as
// localhost; it is blank before Start.
func (s *Server) URL() string { return s.url }

// Fingerprint returns the SHA-256 of the certificate in use at start, as
// AB:CD:…; it is blank before Start and without TLS.
func (s *Server) Fingerprint() string { return s.fingerprint }
