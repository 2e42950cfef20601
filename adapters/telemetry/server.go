package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"syscall"
	"time"
)

// Server serves metrics and profiles on a separate listener.
type Server struct {
	cfg    Config
	log    *slog.Logger
	http   *http.Server
	addr   string
	served chan struct{}
}

// NewServer returns a Server for m that does not listen yet.
func NewServer(cfg Config, m *Metrics, log *slog.Logger) *Server {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.handler())
	// The page cmdline is not served, because flags may contain secrets.
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return &Server{
		cfg: cfg, log: log, served: make(chan struct{}),
		http: &http.Server{Handler: cfg.guard(mux), ReadHeaderTimeout: 5 * time.Second},
	}
}

// Start listens and serves in the background. Without an address it does nothing. It returns an
// error if the port is in use.
func (s *Server) Start(ctx context.Context) error {
	if s.cfg.Addr == "" {
		close(s.served)
		return nil
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", s.cfg.Addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("metrics.addr: %s is already in use", s.cfg.Addr)
	}
	if err != nil {
		return fmt.Errorf("metrics.addr: %w", err)
	}
	s.addr = listener.Addr().String()
	s.log.Info("metrics", slog.String("addr", s.addr))
	go func() {
		defer close(s.served)
		if err := s.http.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.log.Error("metrics server stopped", slog.Any("error", err))
		}
	}()
	return nil
}

// Stop ends the server immediately and aborts running profiles.
func (s *Server) Stop() error {
	err := s.http.Close()
	<-s.served
	return err
}

// Addr returns the address of the listener. It is blank before Start, and if there is no listener.
func (s *Server) Addr() string { return s.addr }
