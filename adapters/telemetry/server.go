package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"time"
)

// Server tells the figures on a listener of its own.
type Server struct {
	cfg    Config
	log    *slog.Logger
	http   *http.Server
	addr   string
	served chan struct{}
}

// NewServer returns a server of m that does not listen yet.
func NewServer(cfg Config, m *Metrics, log *slog.Logger) *Server {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.handler())
	mux.HandleFunc("/debug/pprof/", pprof.Index) // cmdline is left out: flags may hold secrets
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return &Server{
		cfg: cfg, log: log, served: make(chan struct{}),
		http: &http.Server{Handler: cfg.guard(mux), ReadHeaderTimeout: 5 * time.Second},
	}
}

// Start listens and serves beside the caller; without an address it does
// nothing. A port that is taken is an error.
func (s *Server) Start(ctx context.Context) error {
	if s.cfg.Addr == "" {
		close(s.served)
		return nil
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", s.cfg.Addr)
	if err != nil {
		return fmt.Errorf("metrics.addr: %w", err)
	}
	s.addr = listener.Addr().String()
	s.log.Info("metrics", slog.String("addr", s.addr))
	go func() {
		defer close(s.served)
		if err := s.http.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.log.Error("metrics are no longer told", slog.Any("error", err))
		}
	}()
	return nil
}

// Stop ends the server at once: a profile that is being taken is lost.
func (s *Server) Stop() error {
	err := s.http.Close()
	<-s.served
	return err
}

// Addr returns the address really listened on; blank before Start, or without
// one.
func (s *Server) Addr() string { return s.addr }
