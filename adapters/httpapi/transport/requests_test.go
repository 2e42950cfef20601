package transport_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matryer/is"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"lyceum/adapters/httpapi/transport"
)

// The requests in progress on HTTP/2 connections are limited as connections are. A connection with a
// request beyond the limit of its network is closed, and other networks are served.
func TestHTTP2RequestsOfNetwork(t *testing.T) {
	is := is.New(t)
	release := make(chan struct{})
	cfg := local()
	cfg.Mode, cfg.MaxConnections, cfg.PerNetwork = transport.SelfSigned, 12, 3
	s := serve(t, cfg, nil, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/wait" {
			<-release
		}
		w.WriteHeader(http.StatusNoContent)
	})
	client := func(from string) *http.Client {
		transport := &http.Transport{
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true,
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx, s, from) },
		}
		t.Cleanup(transport.CloseIdleConnections)
		return &http.Client{Transport: transport}
	}
	get := func(c *http.Client, path string) error {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL()+path, nil)
		is.NoErr(err)
		response, err := c.Do(r)
		if err != nil {
			return err
		}
		_, _ = io.Copy(io.Discard, response.Body)
		is.Equal(response.ProtoMajor, 2)
		return response.Body.Close()
	}
	flooding, other := client("127.0.0.1"), client("127.0.0.2")
	is.NoErr(get(flooding, "/")) // the requests below share its connection
	waiting := make(chan error, 3)
	for range 3 {
		go func() { waiting <- get(flooding, "/wait") }()
	}
	await(t, func() bool { return get(flooding, "/") != nil })
	is.NoErr(get(other, "/"))
	is.True(s.Connections().Refused > 0)
	for range 3 {
		is.True(<-waiting != nil) // they shared the connection
	}
	close(release)
	await(t, func() bool { return get(flooding, "/") == nil })
}

// A connection is closed if its client resets most of its requests.
func TestHTTP2ResetsCloseTheConnection(t *testing.T) {
	is := is.New(t)
	cfg := local()
	cfg.Mode = transport.SelfSigned
	s := serve(t, cfg, nil, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/wait" {
			<-r.Context().Done()
		}
		w.WriteHeader(http.StatusNoContent)
	})
	var dialed atomic.Int64
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			dialed.Add(1)
			return dial(ctx, s, "127.0.0.1")
		},
	}}
	defer client.CloseIdleConnections()
	get := func(ctx context.Context, path string) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL()+path, nil)
		is.NoErr(err)
		response, err := client.Do(r)
		if err == nil {
			err = response.Body.Close()
		}
		return err
	}
	for range 300 { // a client that completes most of its requests keeps its connection
		is.NoErr(get(t.Context(), "/"))
	}
	reset := func(n int) {
		for range n {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Millisecond)
			is.True(get(ctx, "/wait") != nil)
			cancel()
		}
	}
	reset(150)
	is.NoErr(get(t.Context(), "/"))
	is.Equal(dialed.Load(), int64(1))
	reset(250)
	await(t, func() bool { return get(t.Context(), "/") == nil && dialed.Load() > 1 })
}

// A request whose small response is not read still counts as in progress. A client that connects
// again and again to do this is soon refused new connections.
func TestHTTP2UnreadResponsesAreCounted(t *testing.T) {
	is := is.New(t)
	cfg := local()
	cfg.Mode, cfg.MaxConnections, cfg.PerNetwork = transport.SelfSigned, 12, 3
	s := serve(t, cfg, nil, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "short") })
	const connections = 4 // until the quota of new connections is used up
	for i := range int64(connections) {
		is.True(requestWithoutReading(t, s, 4))
		await(t, func() bool { return s.Connections().Refused == i+1 }) // the fourth request exceeds the limit
	}
	is.True(!requestWithoutReading(t, s, 4))
	is.Equal(s.Connections().Refused, int64(connections+1))
}

// A client can send at most 64 KiB of the bodies of an HTTP/2 connection before a handler reads them.
func TestHTTP2BodiesThatAreNotRead(t *testing.T) {
	is := is.New(t)
	cfg := local()
	cfg.Mode = transport.SelfSigned
	s := serve(t, cfg, nil, func(http.ResponseWriter, *http.Request) {})
	f := connectHTTP2(t, s)
	is.NoErr(f.WriteSettings())
	for {
		got, err := f.ReadFrame()
		is.NoErr(err)
		switch got := got.(type) {
		case *http2.WindowUpdateFrame:
			t.Fatalf("the window of the connection became larger by %d", got.Increment)
		case *http2.SettingsFrame:
			if got.IsAck() {
				return
			}
			window, ok := got.Value(http2.SettingInitialWindowSize)
			is.True(!ok || window <= 64<<10)
		}
	}
}

// requestWithoutReading opens an HTTP/2 connection, sends n requests, and reads no response. It reports
// whether the server accepted the connection.
func requestWithoutReading(t *testing.T, s *transport.Server, n uint32) bool {
	is := is.New(t)
	f := connectHTTP2(t, s)
	if f == nil {
		return false
	}
	is.NoErr(f.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0})) // it reads no body
	var block bytes.Buffer
	headers := hpack.NewEncoder(&block)
	for _, h := range [][2]string{{":method", "GET"}, {":scheme", "https"}, {":authority", "127.0.0.1"}, {":path", "/"}} {
		is.NoErr(headers.WriteField(hpack.HeaderField{Name: h[0], Value: h[1]}))
	}
	for i := range n {
		is.NoErr(f.WriteHeaders(http2.HeadersFrameParam{StreamID: 2*i + 1, BlockFragment: block.Bytes(), EndStream: true, EndHeaders: true}))
	}
	return true
}

// connectHTTP2 opens an HTTP/2 connection and sends the preface. It returns nil if the server refuses
// the connection.
func connectHTTP2(t *testing.T, s *transport.Server) *http2.Framer {
	t.Helper()
	_, at, _ := strings.Cut(s.URL(), "://")
	d := tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}}}
	c, err := d.DialContext(t.Context(), "tcp", at)
	if err != nil {
		return nil
	}
	t.Cleanup(func() { _ = c.Close() })
	_, err = io.WriteString(c, http2.ClientPreface)
	is.New(t).NoErr(err)
	return http2.NewFramer(c, c)
}
