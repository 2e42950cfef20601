package transport_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
)

func TestHandlerGetsURL(t *testing.T) {
	is := is.New(t)
	s := create(t, local(), nil)
	is.Equal(s.URL(), "")
	var passed string
	is.NoErr(s.Start(t.Context(), func(url string) (http.Handler, error) {
		passed = url
		return http.NotFoundHandler(), nil
	}))
	defer func() { is.NoErr(s.Stop(context.WithoutCancel(t.Context()))) }()
	is.Equal(passed, s.URL())
	got, err := get(t.Context(), passed, nil, nil)
	is.NoErr(err)
	is.Equal(got.status, http.StatusNotFound)
}

func TestStartFailsIfPortIsTaken(t *testing.T) {
	is := is.New(t)
	first := verdict(t, local())
	cfg := local()
	cfg.Addr = strings.TrimPrefix(first.URL(), "http://")
	err := create(t, cfg, nil).Start(t.Context(), func(string) (http.Handler, error) {
		t.Error("a handler was made")
		return nil, nil
	})
	is.True(err != nil)
	is.Equal(err.Error(), "addr: "+cfg.Addr+" is already in use")
}

func TestStartFailsIfHandlerFails(t *testing.T) {
	is := is.New(t)
	s := create(t, local(), nil)
	broken := errors.New("broken")
	err := s.Start(t.Context(), func(string) (http.Handler, error) { return nil, broken })
	is.True(errors.Is(err, broken))
	_, err = get(t.Context(), s.URL(), nil, nil)
	is.True(err != nil) // the server does not listen
	is.NoErr(s.Stop(t.Context()))
}

// slow contains a handler that blocks a request for /held until the test closes leave, and the
// result of that request.
type slow struct {
	entered, leave chan struct{}
	answers        chan answer
	fails          chan error
}

func newSlow() *slow {
	return &slow{
		entered: make(chan struct{}), leave: make(chan struct{}),
		answers: make(chan answer, 1), fails: make(chan error, 1),
	}
}

func (s *slow) handle(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/held" {
		close(s.entered)
		<-s.leave
	}
	_, _ = io.WriteString(w, "finished")
}

func (s *slow) ask(ctx context.Context, url string) {
	got, err := get(ctx, url+"/held", nil, nil)
	if err != nil {
		s.fails <- err
		return
	}
	s.answers <- got
}

func TestStopLetsRequestsFinish(t *testing.T) {
	is := is.New(t)
	h := newSlow()
	s := serve(t, local(), nil, h.handle)
	go h.ask(t.Context(), s.URL())
	<-h.entered
	is.True(!s.Draining())

	stopped := make(chan error, 1)
	go func() { stopped <- s.Stop(context.WithoutCancel(t.Context())) }()
	await(t, s.Draining)
	await(t, func() bool { // new connections are refused
		_, err := get(t.Context(), s.URL(), nil, nil)
		return err != nil
	})
	select {
	case err := <-stopped:
		t.Fatal("stopped with a request in flight", err)
	default:
	}
	close(h.leave)
	is.NoErr(<-stopped)
	is.Equal((<-h.answers).body, "finished")
	select {
	case err := <-s.Failed():
		t.Fatal("a stop is no failure", err)
	default:
	}
}

func TestStopServesDuringDelay(t *testing.T) {
	is := is.New(t)
	cfg := local()
	cfg.ShutdownDelay = time.Hour // ended by the context
	s := create(t, cfg, nil)
	is.NoErr(s.Start(t.Context(), func(string) (http.Handler, error) {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if s.Draining() {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		}), nil
	}))
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- s.Stop(ctx) }()
	await(t, s.Draining)
	got, err := get(t.Context(), s.URL(), nil, nil)
	is.NoErr(err)
	is.Equal(got.status, http.StatusServiceUnavailable)
	cancel()
	<-stopped //lint:ignore errcheck its time is over, so what is left of the request above may be cut off
	_, err = get(t.Context(), s.URL(), nil, nil)
	is.True(err != nil) // the server does not listen
}

func TestStopAbortsSlowRequests(t *testing.T) {
	is := is.New(t)
	cfg := local()
	cfg.ShutdownTimeout = 50 * time.Millisecond
	h := newSlow()
	s := create(t, cfg, nil)
	is.NoErr(s.Start(t.Context(), func(string) (http.Handler, error) { return http.HandlerFunc(h.handle), nil }))
	go h.ask(t.Context(), s.URL())
	<-h.entered
	err := s.Stop(context.WithoutCancel(t.Context()))
	is.True(errors.Is(err, context.DeadlineExceeded))
	is.True(strings.HasPrefix(err.Error(), "requests were aborted"))
	is.True(<-h.fails != nil) // the client sees an aborted connection, not half a response
	close(h.leave)
}

func TestStopWithoutStart(t *testing.T) {
	is := is.New(t)
	s := create(t, local(), nil)
	is.NoErr(s.Stop(t.Context()))
	is.True(s.Draining())
}

func TestHeadersBeyondLimit(t *testing.T) {
	is := is.New(t)
	s := verdict(t, local())
	got, err := get(t.Context(), s.URL(), nil, http.Header{"X-Long": {strings.Repeat("x", 60<<10)}})
	is.NoErr(err)
	is.Equal(got.status, http.StatusOK)
	got, err = get(t.Context(), s.URL(), nil, http.Header{"X-Long": {strings.Repeat("x", 80<<10)}})
	is.NoErr(err)
	is.Equal(got.status, http.StatusRequestHeaderFieldsTooLarge)
}

// A client that sends its body only after 100 Continue gets the response at once if no handler has read
// the body.
func TestRefusalOfAnExpectedBody(t *testing.T) {
	is := is.New(t)
	s := serve(t, local(), nil, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	c, err := dial(t.Context(), s, "127.0.0.1")
	is.NoErr(err)
	defer func() { is.NoErr(c.Close()) }()
	is.NoErr(c.SetDeadline(time.Now().Add(5 * time.Second))) // less than the server waits for a body
	_, err = io.WriteString(c, "POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n")
	is.NoErr(err)
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	is.NoErr(err)
	is.Equal(response.StatusCode, http.StatusUnauthorized)
	is.True(response.Close)
	is.NoErr(response.Body.Close())
}

func TestErrorLogHidesSecrets(t *testing.T) {
	is := is.New(t)
	var log logBuffer
	s := serve(t, local(), log.log(), func(_ http.ResponseWriter, r *http.Request) {
		panic("cannot serve " + r.URL.String())
	})
	secrets := []string{
		"lyc_AAAAbbbb1111", "lyc%5FAAAAbbbb1111", // API keys
		"lyt_AAAAzzzz1111", "lyt%5FAAAAzzzz1111", // tokens of learners
		strings.Repeat("AAAA", 16), // tokens of sessions, sign-in links and invitations
		"AAAA%40example.test",
	}
	for _, secret := range secrets {
		_, err := get(t.Context(), s.URL()+"/?value="+secret, nil, nil)
		is.True(err != nil) // a panic aborts the connection
	}
	await(t, func() bool { return strings.Count(log.String(), "cannot serve") == len(secrets) })
	is.True(!strings.Contains(log.String(), "AAAA"))
}

// Errors that clients cause are logged without their addresses, and without what they sent.
func TestErrorsOfClientsAreLoggedAsDebug(t *testing.T) {
	frame := "\x00\x00\x01\x08\x00\x00\x00\x00\x00x" // a WINDOW_UPDATE of one byte
	for name, tt := range map[string]struct{ protocol, sent, logged string }{
		"no handshake":         {"", "no handshake at all\r\n\r\n", "http: TLS handshake error: tls: first record"},
		"no preface of HTTP/2": {"h2", "GET /secret-words HTTP/1.1\r\n\r\n", "error reading preface: bogus greeting"},
		"an invalid frame":     {"h2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00" + frame, "connection error: FRAME_SIZE_ERROR"},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			cfg := local()
			cfg.Mode = "self-signed"
			var log logBuffer
			s := serve(t, cfg, log.log(), http.NotFound)
			var d net.Dialer
			conn, err := d.DialContext(t.Context(), "tcp", strings.TrimPrefix(s.URL(), "https://"))
			is.NoErr(err)
			if tt.protocol != "" {
				conn = tls.Client(conn, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{tt.protocol}})
			}
			_, err = io.WriteString(conn, tt.sent)
			is.NoErr(err)
			await(t, func() bool { return strings.Contains(log.String(), tt.logged) })
			client := conn.LocalAddr().String()
			_ = conn.Close() // the server may have closed it
			is.True(!strings.Contains(log.String(), "level=WARN"))
			is.True(!strings.Contains(log.String(), client))
			is.True(!strings.Contains(log.String(), "secret-words"))
		})
	}
}

// await waits until holds returns true, and fails the test after 10 s.
func await(t *testing.T, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it did not happen")
		}
	}
}
