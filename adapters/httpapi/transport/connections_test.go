package transport_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/transport"
)

// dial opens a connection to s from the given local address.
func dial(ctx context.Context, s *transport.Server, from string) (net.Conn, error) {
	_, at, _ := strings.Cut(s.URL(), "://")
	d := net.Dialer{LocalAddr: net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(from), 0))}
	return d.DialContext(ctx, "tcp", at)
}

// request sends a request over an open connection and reads the response.
func request(c net.Conn) error {
	_, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if err != nil {
		return err
	}
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, response.Body)
	return errors.Join(err, response.Body.Close())
}

// One network cannot exclude other networks: its own idle connections are replaced, and the
// connections of other networks stay open.
func TestConnectionsOfNetwork(t *testing.T) {
	is := is.New(t)
	cfg := local()
	cfg.MaxConnections, cfg.PerNetwork = 30, 2
	s := serve(t, cfg, nil, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	open := func(from string) net.Conn {
		c, err := dial(t.Context(), s, from)
		is.NoErr(err)
		t.Cleanup(func() { is.NoErr(c.Close()) })
		is.NoErr(request(c))
		return c
	}
	first := open("127.0.0.1")
	await(t, func() bool { return s.Connections().Waiting == 1 })
	second, neighbor := open("127.0.0.1"), open("127.0.0.2")
	await(t, func() bool { return s.Connections().Waiting == 3 })
	third := open("127.0.0.1")
	is.True(request(first) != nil)
	for _, c := range []net.Conn{second, third, neighbor} {
		is.NoErr(request(c))
	}
	is.Equal(s.Connections().Replaced, int64(1))
}

// If all connections of a server have requests, the server closes new connections. It serves again
// when the requests have finished.
func TestConnectionsInAll(t *testing.T) {
	for _, mode := range []transport.Mode{transport.Off, transport.SelfSigned} { // HTTP/1.1, HTTP/2
		t.Run(string(mode), func(t *testing.T) {
			is := is.New(t)
			cfg := local()
			cfg.Mode, cfg.MaxConnections, cfg.PerNetwork = mode, 1, 1
			h := newSlow()
			s := serve(t, cfg, nil, h.handle)
			go h.ask(t.Context(), s.URL())
			<-h.entered
			_, err := get(t.Context(), s.URL(), nil, nil)
			is.True(err != nil)
			is.True(s.Connections().Refused > 0)
			close(h.leave)
			got := <-h.answers
			is.Equal(got.body, "finished")
			await(t, func() bool {
				got, err := get(t.Context(), s.URL(), nil, nil)
				return err == nil && got.status == http.StatusOK
			})
		})
	}
}

// An idle HTTP/2 connection is replaced like an HTTP/1.1 connection.
func TestIdleHTTP2ConnectionIsReplaced(t *testing.T) {
	is := is.New(t)
	cfg := local()
	cfg.Mode, cfg.MaxConnections, cfg.PerNetwork = transport.SelfSigned, 1, 1
	s := serve(t, cfg, nil, http.NotFound)
	idle := http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true,
	}}
	defer idle.CloseIdleConnections()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL(), nil)
	is.NoErr(err)
	response, err := idle.Do(r)
	is.NoErr(err)
	_, err = io.Copy(io.Discard, response.Body)
	is.NoErr(errors.Join(err, response.Body.Close()))
	is.Equal(response.ProtoMajor, 2)
	await(t, func() bool { return s.Connections().Waiting == 1 })
	got, err := get(t.Context(), s.URL(), nil, nil)
	is.NoErr(err)
	is.Equal(got.status, http.StatusNotFound)
	is.Equal(s.Connections().Replaced, int64(1))
}

// All clients of a proxy have its address, so only the limit for all connections applies to them.
func TestConnectionsOfTrustedProxy(t *testing.T) {
	is := is.New(t)
	cfg := local()
	cfg.Mode, cfg.MaxConnections, cfg.PerNetwork = transport.Proxy, 4, 1
	cfg.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	s := serve(t, cfg, slog.New(slog.DiscardHandler), http.NotFound)
	for range 3 {
		c, err := dial(t.Context(), s, "127.0.0.1")
		is.NoErr(err)
		defer func() { is.NoErr(c.Close()) }()
		is.NoErr(request(c))
	}
	is.Equal(s.Connections().Open, 3)
	is.Equal(s.Connections().Replaced, int64(0))
}
