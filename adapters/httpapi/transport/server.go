package transport

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"lyceum/adapters/httpapi/transport/connections"
)

// ReadTimeout is the maximum time that a whole request may take to arrive. A handler that reads the
// body late sets a new deadline.
const ReadTimeout = 15 * time.Second

// The other limits of a connection. writeTimeout leaves time for the handler and a slow
// client.
const (
	readHeaderTimeout = 5 * time.Second
	writeTimeout      = 60 * time.Second
	idleTimeout       = 120 * time.Second
	maxHeaderBytes    = 64<<10 - 4<<10 // net/http allows 4 KiB more
	maxStreams        = 100            // requests at a time of an HTTP/2 connection
	receiveBuffer     = 64 << 10       // bytes of bodies of an HTTP/2 connection that no handler has read
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
	serving  sync.WaitGroup

	connections *connections.Limiter

	// Start sets the following fields.
	acme        *manager // only in the mode ACME
	http        *http.Server
	plain       *http.Server // for plain HTTP in the mode ACME; nil: none
	url         string
	fingerprint string
}

// New returns a server that does not listen yet. It returns an error if cfg is invalid.
func New(cfg Config, log *slog.Logger) (*Server, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg, log: log, failed: make(chan error, 2)}
	s.connections = connections.New(connections.Config{
		Max: cfg.MaxConnections, PerNetwork: cfg.PerNetwork, Trusted: s.trusts,
	}, log)
	return s, nil
}

// Start listens, creates the handler, and serves it in the background. If the port is
// taken, the certificate cannot be read or the handler cannot be created, it returns an
// error and does not listen.
func (s *Server) Start(ctx context.Context, handler HandlerFunc) error {
	secured, err := s.tlsConfig()
	if err != nil {
		return err
	}
	listener, err := s.listen(ctx)
	if err != nil {
		return err
	}
	plain, err := s.listenPlain(ctx)
	if err != nil {
		_ = listener.Close()
		return err
	}
	s.url = s.cfg.Mode.Scheme() + "://" + s.host(listener.Addr())
	h, err := handler(s.url)
	if err != nil {
		_ = listener.Close()
		if plain != nil {
			_ = plain.Close()
		}
		return err
	}
	s.http = s.newServer(h)
	s.http.TLSConfig = secured
	s.serve(s.http, listener)
	if plain != nil {
		s.plain = s.newServer(s.plainHandler(h))
		s.serve(s.plain, plain)
	}
	if s.acme != nil {
		go s.acme.obtain(s.log)
	}
	return nil
}

func (s *Server) newServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           s.connections.Requests(h),
		ErrorLog:          errorLog(s.log),
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       ReadTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams: maxStreams, MaxReceiveBufferPerConnection: receiveBuffer, MaxReceiveBufferPerStream: receiveBuffer,
		},
		ConnState:   s.connections.Changed,
		ConnContext: connections.Context,

		DisableGeneralOptionsHandler: true, // the API handles OPTIONS *
	}
}

// serve serves the connections of listener in the background.
func (s *Server) serve(with *http.Server, listener net.Listener) {
	limited := s.connections.Listener(listener)
	s.serving.Go(func() {
		var err error
		if with.TLSConfig != nil {
			err = with.ServeTLS(limited, "", "")
		} else {
			err = with.Serve(limited)
		}
		if !errors.Is(err, http.ErrServerClosed) {
			s.failed <- err
		}
	})
}

// Stop shuts the server down. Draining immediately reports true. Stop accepts requests for another
// ShutdownDelay and then gives running requests ShutdownTimeout to finish. If requests are still
// running at that time, or when ctx ends, Stop aborts them and returns an error.
func (s *Server) Stop(ctx context.Context) error {
	s.draining.Store(true)
	if s.http == nil {
		return nil
	}
	servers := []*http.Server{s.http}
	if s.plain != nil {
		servers = append(servers, s.plain)
	}
	for _, h := range servers {
		h.SetKeepAlivesEnabled(false)
	}
	select {
	case <-time.After(s.cfg.ShutdownDelay):
	case <-ctx.Done():
	}
	ctx, cancel := context.WithTimeout(ctx, s.cfg.ShutdownTimeout)
	defer cancel()
	var errs []error
	for _, h := range servers {
		if err := h.Shutdown(ctx); err != nil {
			_ = h.Close()
			errs = append(errs, fmt.Errorf("requests were aborted because they did not finish in time (shutdown.timeout): %w", err))
		}
	}
	s.serving.Wait()
	return errors.Join(errs...)
}

// Draining reports whether Stop was called.
func (s *Server) Draining() bool { return s.draining.Load() }

// Failed returns a channel that receives an error if the server stops by itself.
func (s *Server) Failed() <-chan error { return s.failed }

// Connections returns counts of open, refused and replaced connections.
func (s *Server) Connections() connections.Stats { return s.connections.Stats() }

// URL returns the scheme and the address of the server, or "" before Start. The host is the first
// of ACMEConfig.Hosts in the mode ACME, and localhost for a wildcard address in other modes.
func (s *Server) URL() string { return s.url }

// Fingerprint returns the SHA-256 of the certificate at start, as AB:CD:…, or "" before Start and
// without TLS.
func (s *Server) Fingerprint() string { return s.fingerprint }
