package httpapi_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi"
	"lyceum/test/kit"
)

// pipes is a listener whose connections have no buffers: a write blocks until the client reads the
// bytes.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	c, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p pipes) Close() error {
	close(p)
	return nil
}

// pacedReader reads at most rate bytes per second. If rate is 0, Read blocks forever.
type pacedReader struct {
	io.Reader
	rate int
}

func (r pacedReader) Read(b []byte) (int, error) {
	if r.rate == 0 {
		select {}
	}
	n, err := r.Reader.Read(b[:min(len(b), 512)])
	time.Sleep(time.Duration(n) * time.Second / time.Duration(r.rate))
	return n, err
}

// A client that reads an export or a whole list slower than the minimum rate is disconnected. The
// rate counts the bytes that are sent, after compression.
func TestSlowReaders(t *testing.T) {
	const (
		rows  = 1500
		pause = 100 * time.Second // enough for the largest write
		rate  = 1000
	)
	var lines strings.Builder
	random := rand.NewChaCha8([32]byte{})
	for i := range rows {
		name := make([]byte, 120) // hardly compressible
		_, _ = random.Read(name)
		_, _ = fmt.Fprintf(&lines, `{"kind": "person", "email": "learner%d@example.test", "first_name": "%x"}`+"\n", i, name)
	}
	a := newAPI(t, httpapi.Config{}, always)
	_, key, err := kit.School{Name: "Large", Lines: lines.String()}.Import(t.Context(), a.app)
	is.New(t).NoErr(err)
	for _, path := range []string{"/v2/export", "/v2/people?limit=all"} {
		for _, encoding := range []string{"identity", "gzip"} {
			for _, tt := range []struct {
				reads  int // bytes per second
				broken time.Duration
			}{
				{0, pause},
				{rate / 2, 2 * pause},
				{2 * rate, 0}, // not disconnected
			} {
				t.Run(fmt.Sprintf("%s %s %d", path, encoding, tt.reads), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						is := is.New(t)
						handler := httpapi.New(a.app, httpapi.Config{ExportPause: pause, ExportRate: rate, ListPause: pause, ListRate: rate}, slog.New(slog.DiscardHandler))
						client, ended := ask(t, handler, path, key, encoding)
						if tt.reads == 0 {
							is.Equal(<-ended, tt.broken)
							return
						}
						response, err := http.ReadResponse(bufio.NewReader(pacedReader{client, tt.reads}), nil)
						is.NoErr(err)
						defer func() { _ = response.Body.Close() }()
						is.Equal(response.StatusCode, http.StatusOK)
						is.Equal(response.Header.Get("Content-Encoding") == "gzip", encoding == "gzip")
						body := io.Reader(response.Body)
						if encoding == "gzip" {
							body, err = gzip.NewReader(body)
							is.NoErr(err)
						}
						text, err := io.ReadAll(body)
						took := <-ended
						is.Equal(err != nil, tt.broken != 0) // a truncated response does not look complete
						complete := strings.Count(string(text), "learner") >= rows
						is.Equal(complete, tt.broken == 0)
						is.True(tt.broken == 0 || took >= pause && took <= tt.broken)
					})
				})
			}
		}
	}
}

// ask requests the path on a new connection. It returns the end of the client, and a channel that
// receives the duration of the request.
func ask(t *testing.T, handler http.Handler, path, key, encoding string) (client net.Conn, ended <-chan time.Duration) {
	t.Helper()
	took := make(chan time.Duration, 1)
	server := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func(begin time.Time) { took <- time.Since(begin) }(time.Now())
		handler.ServeHTTP(w, r)
	})}
	listener := make(pipes)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	client, accepted := net.Pipe()
	t.Cleanup(func() { _ = client.Close() })
	listener <- accepted
	_, err := fmt.Fprintf(client, "GET %s HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\nX-Api-Key: %s\r\nAccept: text/csv, application/x-ndjson\r\nAccept-Encoding: %s\r\n\r\n", path, key, encoding)
	is.New(t).NoErr(err)
	return client, took
}

// The database keeps all deleted rows during an export, so a slow client gets little time.
func TestTimeOfSlowReaders(t *testing.T) {
	var lines strings.Builder
	for i := range 6000 {
		_, _ = fmt.Fprintf(&lines, `{"kind": "person", "email": "learner%d@example.test", "first_name": "%0250d"}`+"\n", i, i)
	}
	a := newAPI(t, httpapi.Config{}, always)
	_, key, err := kit.School{Name: "Large", Lines: lines.String()}.Import(t.Context(), a.app)
	is.New(t).NoErr(err)
	for name, tt := range map[string]struct {
		path     string
		reads    int           // bytes per second
		min, max time.Duration // duration of the request
	}{
		"export, nothing":              {"/v2/export", 0, time.Minute, time.Minute},
		"export, 16 KB per second":     {"/v2/export", 16 << 10, time.Minute, 61 * time.Second},
		"whole list, nothing":          {"/v2/people?limit=all", 0, 10 * time.Second, 10 * time.Second},
		"whole list, 34 KB per second": {"/v2/people?limit=all", 34 << 10, 30 * time.Second, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				handler := httpapi.New(a.app, httpapi.Config{}, slog.New(slog.DiscardHandler))
				client, ended := ask(t, handler, tt.path, key, "identity")
				if tt.reads > 0 {
					_, _ = io.Copy(io.Discard, pacedReader{client, tt.reads})
				}
				took := <-ended
				is.True(tt.min <= took && took <= tt.max)
			})
		})
	}
}

// resetWriter is a response whose connection the client has reset.
type resetWriter struct{ *httptest.ResponseRecorder }

// Write implements http.ResponseWriter.
func (resetWriter) Write([]byte) (int, error) {
	return 0, &net.OpError{Op: "write", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(192, 0, 2, 9), Port: 5555}, Err: errors.New("broken pipe")}
}

// The log does not contain the address of a client that resets the connection during an export.
func TestAbortedExportIsLoggedWithoutAddress(t *testing.T) {
	is := is.New(t)
	a := newAPI(t, httpapi.Config{}, always)
	_, key, err := kit.School{Name: "One", Lines: `{"kind": "person", "email": "ada@example.test"}`}.Import(t.Context(), a.app)
	is.NoErr(err)
	var log bytes.Buffer
	handler := httpapi.New(a.app, httpapi.Config{}, slog.New(slog.NewTextHandler(&log, nil)))
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v2/export", nil)
	r.Header.Set("X-Api-Key", key)
	func() {
		defer func() { is.Equal(recover(), http.ErrAbortHandler) }()
		handler.ServeHTTP(resetWriter{httptest.NewRecorder()}, r)
	}()
	is.True(strings.Contains(log.String(), "export aborted"))
	is.True(strings.Contains(log.String(), "broken pipe"))
	is.True(!strings.Contains(log.String(), "192.0.2.9"))
}
