// Package lyceumtest runs a real Lyceum server inside a test process, on a free port of this
// machine. The server has an API key and, by default, an empty school. The package is for tests of
// programs that call the API.
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
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"lyceum/adapters/demo"
	"lyceum/app"
	"lyceum/app/transfer"
	"lyceum/cmd/server"
	"lyceum/domain/school"
)

// Server is a running server.
type Server struct {
	URL string // scheme, host and port, such as http://127.0.0.1:41234
	Key string // API key of the first school

	assembled *server.Server
}

// Option configures Start and New.
type Option func(*plan)

type plan struct {
	schools  []file
	log      *slog.Logger
	added    []server.Option
	outgoing []string
}

// file is a school file. key is an API key that the file contains; if it is blank, load creates
// one.
type file struct {
	open func() (io.ReadCloser, error)
	key  string
}

// WithSchool loads a school file, described in docs/transfer.md, instead of an empty school. open
// returns a reader at the beginning of the file. If the option is repeated, New loads several
// schools.
func WithSchool(open func() (io.ReadCloser, error)) Option {
	return func(p *plan) { p.schools = append(p.schools, file{open: open}) }
}

// WithDemo loads the demo school, whose content is always the same.
func WithDemo() Option {
	return func(p *plan) { p.schools = append(p.schools, file{demo.School, demo.Key}) }
}

const empty = `{"kind": "school", "format": 1, "name": "Test school"}
{"kind": "end"}`

// WithLog writes the server's log to log. By default nothing is logged.
func WithLog(log *slog.Logger) Option {
	return func(p *plan) { p.log = log }
}

// With adds extensions of a product to the server, such as server.WithPolicy.
func With(added ...server.Option) Option {
	return func(p *plan) { p.added = append(p.added, added...) }
}

// WithOutgoing allows the server to send webhooks to these IP addresses or networks, such as
// 127.0.0.1 for a receiver in the test.
func WithOutgoing(networks ...string) Option {
	return func(p *plan) { p.outgoing = append(p.outgoing, networks...) }
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

// New is like Start, for callers other than tests. The caller must close the server. ctx limits
// only the start.
func New(ctx context.Context, options ...Option) (*Server, error) {
	var p plan
	for _, option := range options {
		option(&p)
	}
	if len(p.schools) == 0 {
		WithSchool(func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(empty)), nil })(&p)
	}
	cfg := server.Defaults()
	cfg.Transport.Addr = "127.0.0.1:0"
	cfg.Log = p.log
	cfg.Extension = server.Extend(p.added...)
	for _, network := range p.outgoing {
		allowed, err := prefix(network)
		if err != nil {
			return nil, err
		}
		cfg.OutgoingAllowed = append(cfg.OutgoingAllowed, allowed)
	}
	assembled, err := server.New(cfg)
	if err != nil {
		return nil, err
	}
	s := &Server{assembled: assembled}
	for _, f := range p.schools {
		key, err := f.load(ctx, s.App())
		if err != nil {
			return nil, errors.Join(err, assembled.Stop())
		}
		if s.Key == "" {
			s.Key = key
		}
	}
	if err := assembled.Start(ctx); err != nil {
		return nil, err
	}
	s.URL = assembled.URL()
	return s, nil
}

// prefix parses an IP address or a network.
func prefix(s string) (netip.Prefix, error) {
	if a, err := netip.ParseAddr(s); err == nil {
		return a.Prefix(a.BitLen())
	}
	return netip.ParsePrefix(s)
}

// load imports the school and returns one of its API keys.
func (f file) load(ctx context.Context, a *app.App) (string, error) {
	made, err := a.Transfers.ImportNew(ctx, transfer.Import{Open: f.open})
	if err != nil || f.key != "" {
		return f.key, err
	}
	_, secret, err := a.Provision.CreateKey(ctx, made.School.ID, school.KeyParams{Name: "Test", Scope: school.Admin})
	return secret, err
}

// Do sends a request with the server's API key, and returns the status and the body of the
// response. It sends body as a JSON:API document, unless body is blank.
func (s *Server) Do(ctx context.Context, method, path, body string) (status int, response string, err error) {
	request, err := http.NewRequestWithContext(ctx, method, s.URL+path, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	request.Header.Set("X-Api-Key", s.Key)
	request.Close = true
	if body != "" {
		request.Header.Set("Content-Type", "application/vnd.api+json")
	}
	answered, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = answered.Body.Close() }()
	text, err := io.ReadAll(answered.Body)
	return answered.StatusCode, string(text), err
}

// App returns the server's use cases. A test can use them to make changes for which the API has no
// operation.
func (s *Server) App() *app.App { return s.assembled.App() }

// Close stops the server after it has finished the current requests.
func (s *Server) Close() error { return s.assembled.Stop() }
