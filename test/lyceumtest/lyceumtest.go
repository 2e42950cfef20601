// Package lyceumtest runs a real Lyceum server in the memory of a test: a free
// port on this machine, an empty school unless told otherwise, and a key for it.
// It is for the tests of programs that call the API.
//
//	func TestMyClient(t *testing.T) {
//		lyceum := lyceumtest.Start(t)
//		client := myclient.New(lyceum.URL, lyceum.Key)
//		…
//	}
package lyceumtest

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"lyceum/adapters/schoolfile"
	"lyceum/app"
	"lyceum/cmd/server"
)

// Server is a running server.
type Server struct {
	URL string // scheme, host and port, such as http://127.0.0.1:41234
	Key string // API key of the first school

	assembled *server.Server
}

// Option changes what Start and New make.
type Option func(*plan)

type plan struct {
	schools []app.Blueprint
	log     *slog.Logger
}

// WithSchool loads the school of b, instead of an empty one. Given several times
// it loads several. A school without a key gets one.
func WithSchool(b app.Blueprint) Option {
	return func(p *plan) { p.schools = append(p.schools, b) }
}

// WithDemo loads the demo school, which is the same each time.
func WithDemo() Option { return WithSchool(schoolfile.Demo()) }

// WithLog writes the server's log to log; without it nothing is logged.
func WithLog(log *slog.Logger) Option {
	return func(p *plan) { p.log = log }
}

// Start returns a running server that stops when the test ends.
func Start(t testing.TB, options ...Option) *Server {
	t.Helper()
	s, err := New(t.Context(), options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// New is Start outside a test; the caller closes the server. ctx bounds the
// start only.
func New(ctx context.Context, options ...Option) (*Server, error) {
	var p plan
	for _, option := range options {
		option(&p)
	}
	if len(p.schools) == 0 {
		p.schools = []app.Blueprint{{School: app.SchoolPlan{Name: "Test school"}}}
	}
	cfg := server.Defaults()
	cfg.Transport.Addr = "127.0.0.1:0"
	cfg.Log = p.log
	assembled, err := server.New(cfg)
	if err != nil {
		return nil, err
	}
	s := &Server{assembled: assembled}
	for _, b := range p.schools {
		if len(b.Keys) == 0 {
			b.Keys = []app.KeyPlan{{Name: "Test"}}
		}
		_, secrets, err := assembled.App().Provision.Load(ctx, b)
		if err != nil {
			return nil, errors.Join(err, assembled.Stop())
		}
		if s.Key == "" {
			s.Key = secrets[0]
		}
	}
	if err := assembled.Start(ctx); err != nil {
		return nil, err
	}
	s.URL = assembled.URL()
	return s, nil
}

// App returns the server's use cases, by which a test can change what the API
// has no operation for.
func (s *Server) App() *app.App { return s.assembled.App() }

// Close stops the server. Requests in flight finish first.
func (s *Server) Close() error { return s.assembled.Stop() }
