package transport_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"lyceum/adapters/httpapi/transport"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// local returns the configuration of a server on a free port of this machine.
func local() transport.Config {
	cfg := transport.Defaults()
	cfg.Addr = "127.0.0.1:0"
	return cfg
}

// logBuffer is a log that a test can read while the server writes to it.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *logBuffer) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *logBuffer) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

func (j *logBuffer) log() *slog.Logger {
	return slog.New(slog.NewTextHandler(j, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// create returns a server that does not listen yet.
func create(t *testing.T, cfg transport.Config, log *slog.Logger) *transport.Server {
	t.Helper()
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	s, err := transport.New(cfg, log)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// serve starts a server with the handler h, and stops it at the end of the test.
func serve(t *testing.T, cfg transport.Config, log *slog.Logger, h http.HandlerFunc) *transport.Server {
	t.Helper()
	s := create(t, cfg, log)
	if err := s.Start(t.Context(), func(string) (http.Handler, error) { return h, nil }); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return s
}

// verdict starts a server that responds with 200 to answerable requests and with 403 to all others.
// Its response header Over reports whether the request came by HTTPS.
func verdict(t *testing.T, cfg transport.Config) *transport.Server {
	t.Helper()
	var s *transport.Server
	s = serve(t, cfg, nil, func(w http.ResponseWriter, r *http.Request) {
		answerable, https := s.Answerable(r)
		w.Header().Set("Over", map[bool]string{true: "https", false: "http"}[https])
		if !answerable {
			w.WriteHeader(http.StatusForbidden)
		}
	})
	return s
}

type answer struct {
	status int
	over   string
	body   string
	tls    *tls.ConnectionState
	proto  int
}

// get sends a request on a new connection. The client accepts any certificate, unless
// trust is set.
func get(ctx context.Context, url string, trust *tls.Config, header http.Header) (answer, error) {
	if trust == nil {
		trust = &tls.Config{InsecureSkipVerify: true}
	}
	client := http.Client{
		Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: trust, ForceAttemptHTTP2: true},
		Timeout:   10 * time.Second,
	}
	defer client.CloseIdleConnections()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return answer{}, err
	}
	for name, values := range header {
		request.Header[name] = values
	}
	response, err := client.Do(request)
	if err != nil {
		return answer{}, err
	}
	body, err := io.ReadAll(response.Body)
	return answer{
		status: response.StatusCode, over: response.Header.Get("Over"), body: string(body),
		tls: response.TLS, proto: response.ProtoMajor,
	}, errors.Join(err, response.Body.Close())
}
