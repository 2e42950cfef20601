package connections_test

import (
	"bufio"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/transport/connections"
)

// sender is a connection that always has bytes to read.
type sender struct{ conn }

func (*sender) Read(p []byte) (int, error) { return len(p), nil }

// accepted returns a limiter and a connection that it has accepted.
func accepted(t *testing.T) (*connections.Limiter, net.Conn) {
	t.Helper()
	l := connections.New(connections.Config{Max: 100}, slog.New(slog.DiscardHandler))
	c, err := l.Listener(&script{results: []any{&sender{conn{from: "192.0.2.1"}}}}).Accept()
	is.New(t).NoErr(err)
	return l, c
}

// A network that sends bytes without requests is read at a quarter of a megabyte per second after its
// first two megabytes. The bytes of requests do not count, and other networks are not delayed.
func TestInputWithoutRequests(t *testing.T) {
	const kib = 1 << 10
	for _, tt := range []struct {
		name  string
		sent  int    // KiB
		parts int    // KiB of each read
		of    string // what each read belongs to
		from  string
		want  time.Duration
	}{
		{"little", 2048, 4, "", "192.0.2.1", 0},
		{"much", 2048 + 2560, 4, "", "192.0.2.1", 10 * time.Second},
		{"headers of requests", 6144, 4, "a header", "192.0.2.1", 0},
		{"bodies of requests", 6144, 16, "a body", "192.0.2.1", 0},
		{"bodies that are read late", 20_480, 80, "a body", "192.0.2.1", 0},
		{"a proxy", 6144, 4, "", "10.0.0.1", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				proxy := netip.MustParseAddr("10.0.0.1")
				cfg := connections.Config{Max: 100, Trusted: func(a netip.Addr) bool { return a == proxy }}
				l := connections.New(cfg, slog.New(slog.DiscardHandler))
				accept := func(from string) net.Conn {
					c, err := l.Listener(&script{results: []any{&sender{conn{from: from}}}}).Accept()
					is.NoErr(err)
					return c
				}
				c := accept(tt.from)
				request := func(header, text string) {
					r := httptest.NewRequestWithContext(connections.Context(t.Context(), c), http.MethodPost, "/", strings.NewReader(text))
					r.Header.Set("X-Long", header)
					l.Requests(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
						_, err := io.Copy(io.Discard, r.Body)
						is.NoErr(err)
					})).ServeHTTP(httptest.NewRecorder(), r)
				}
				begin := time.Now()
				part := make([]byte, tt.parts*kib)
				for range tt.sent / tt.parts {
					_, err := c.Read(part)
					is.NoErr(err)
					switch tt.of {
					case "a header":
						request(strings.Repeat("x", len(part)), "")
					case "a body":
						request("", strings.Repeat("x", len(part)))
					}
				}
				is.Equal(time.Since(begin).Round(time.Second), tt.want)

				begin = time.Now()
				_, err := accept("192.0.2.2").Read(make([]byte, 64*kib))
				is.NoErr(err)
				is.Equal(time.Since(begin), time.Duration(0))
			})
		})
	}
}

// A client of a network that floods the server does not wait, however many requests its connection
// has sent.
func TestInputOfSmallRequests(t *testing.T) {
	const text = "GET /v2/people?limit=10 HTTP/1.1\r\nHost: school.example.test\r\nX-Api-Key: lyc_0123456789\r\n\r\n"
	for name, record := range map[string]int{"HTTP": 0, "HTTPS": 22} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				l := connections.New(connections.Config{Max: 100}, slog.New(slog.DiscardHandler))
				flood, client := &sender{conn{from: "192.0.2.1"}}, &sender{conn{from: "192.0.2.1"}}
				listener := l.Listener(&script{results: []any{flood, client}})
				first, err := listener.Accept()
				is.NoErr(err)
				second, err := listener.Accept()
				is.NoErr(err)
				_, err = first.Read(make([]byte, 2<<20))
				is.NoErr(err)
				begin := time.Now()
				for range 1_000 {
					_, err := second.Read(make([]byte, len(text)+record))
					is.NoErr(err)
					r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text)))
					is.NoErr(err)
					l.Requests(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).
						ServeHTTP(httptest.NewRecorder(), r.WithContext(connections.Context(t.Context(), second)))
				}
				is.Equal(time.Since(begin), time.Duration(0))
			})
		})
	}
}

// The header of an HTTP/2 request can be a few bytes that refer to an earlier header of 8 KiB, so it
// does not pay for as many bytes without requests.
func TestInputOfRequestsThatRepeatTheirHeader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l, c := accepted(t)
		begin := time.Now()
		for range 600 {
			_, err := c.Read(make([]byte, 8<<10))
			is.NoErr(err)
			r := httptest.NewRequestWithContext(connections.Context(t.Context(), c), http.MethodGet, "/", http.NoBody)
			r.ProtoMajor, r.ProtoMinor = 2, 0
			r.Header.Set("X-Long", strings.Repeat("x", 8<<10))
			l.Requests(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(httptest.NewRecorder(), r)
		}
		is.True(time.Since(begin) > 9*time.Second) // 4.7 MB, of which 2 MiB are not delayed
	})
}

// Many clients of a network can upload at once, although a part of each body arrives before a handler
// reads it: their connections are read again as soon as handlers have read the bodies.
func TestInputOfParallelUploads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := connections.New(connections.Config{Max: 1000}, slog.New(slog.DiscardHandler))
		begin := time.Now()
		var uploads sync.WaitGroup
		for range 40 {
			c, err := l.Listener(&script{results: []any{&sender{conn{from: "192.0.2.1"}}}}).Accept()
			is.NoErr(err)
			uploads.Go(func() {
				for range 10 {
					const early = 64 << 10 // bytes
					arrived := make(chan struct{})
					go func() {
						defer close(arrived)
						_, _ = c.Read(make([]byte, early))
					}()
					r := httptest.NewRequestWithContext(connections.Context(t.Context(), c), http.MethodPost, "/", strings.NewReader(strings.Repeat("x", early)))
					l.Requests(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
						time.Sleep(10 * time.Millisecond)
						_, _ = io.Copy(io.Discard, r.Body)
					})).ServeHTTP(httptest.NewRecorder(), r)
					<-arrived
				}
			})
		}
		uploads.Wait()
		is.True(time.Since(begin) < 2*time.Second) // 26 MB would take more than a minute
	})
}

// Closing a connection ends the pause of its reader.
func TestCloseEndsPauseOfReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		_, c := accepted(t)
		begin := time.Now()
		time.AfterFunc(time.Second, func() { _ = c.Close() })
		for range 2 {
			_, _ = c.Read(make([]byte, 4<<20))
		}
		is.Equal(time.Since(begin), time.Second)
	})
}

func TestTooManyHeaderFields(t *testing.T) {
	for fields, want := range map[int]int{200: http.StatusOK, 201: http.StatusRequestHeaderFieldsTooLarge} {
		is := is.New(t)
		l := connections.New(connections.Config{Max: 100}, slog.New(slog.DiscardHandler))
		r := httptest.NewRequestWithContext(connections.Context(t.Context(), &conn{from: "192.0.2.1"}), http.MethodGet, "/", http.NoBody)
		for range fields {
			r.Header.Add("X", "y")
		}
		w := httptest.NewRecorder()
		l.Requests(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(w, r)
		is.Equal(w.Code, want)
	}
}
