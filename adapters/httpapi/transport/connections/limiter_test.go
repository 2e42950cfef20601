package connections_test

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/transport/connections"
)

// conn is a fake connection from an address. It records whether it was closed.
type conn struct {
	net.Conn
	from   string
	closed bool
}

func (c *conn) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(c.from), 1))
}

func (c *conn) Close() error { c.closed = true; return nil }

// script is a listener whose Accept returns the given results, one after another.
type script struct {
	net.Listener
	results []any // net.Conn or error
}

func (s *script) Accept() (net.Conn, error) {
	if len(s.results) == 0 {
		return nil, net.ErrClosed
	}
	first := s.results[0]
	s.results = s.results[1:]
	if err, ok := first.(error); ok {
		return nil, err
	}
	return first.(net.Conn), nil
}

func (s *script) Close() error { return nil }

// Each step is either the address from which a connection arrives, or the new state of a
// connection, identified by its number.
func TestLimiter(t *testing.T) {
	for _, tt := range []struct {
		name   string
		cfg    connections.Config
		steps  string
		closed string // numbers of the closed connections
	}{
		{"a network has its part", connections.Config{Max: 100, PerNetwork: 2}, "a a a b", "0"},
		{"connections below the limits stay open", connections.Config{Max: 100, PerNetwork: 2}, "a a b b", ""},
		{"the longest waiting one of the network is replaced", connections.Config{Max: 100, PerNetwork: 2}, "b a a idle:1 a", "2"},
		{"one with a request is not replaced", connections.Config{Max: 100, PerNetwork: 2}, "a a active:0 a", "1"},
		{"a new one is refused while all have requests", connections.Config{Max: 100, PerNetwork: 2}, "a a active:0 active:1 a", "2"},
		{"a connection that ended leaves room", connections.Config{Max: 100, PerNetwork: 2}, "a a active:0 active:1 closed:1 a", ""},
		{"a hijacked connection leaves room", connections.Config{Max: 100, PerNetwork: 2}, "a a active:0 active:1 hijacked:1 a", ""},
		{"trusted proxies have all", connections.Config{Max: 3, PerNetwork: 1}, "proxy proxy proxy", ""},
		{"trusted proxies have at most all", connections.Config{Max: 3, PerNetwork: 1}, "proxy proxy proxy proxy", "0"},
		{"the longest waiting one of all is replaced", connections.Config{Max: 2, PerNetwork: 2}, "a b active:0 c", "1"},
		{"a server without waiting connections refuses", connections.Config{Max: 2, PerNetwork: 2}, "a b active:0 active:1 c", "2"},
		{"a network has a third of the free ones", connections.Config{Max: 16, PerNetwork: 16}, "a a a a", ""},
		{"a network over a third of the free ones replaces its own", connections.Config{Max: 16, PerNetwork: 16}, "a a a a a", "0"},
		{"several networks leave room for another", connections.Config{Max: 16, PerNetwork: 16}, "a a a a a b b b b c c c d d d e", "0 5 9 12"},
		{"a quarter by default", connections.Config{Max: 8}, "a a a", "0"},
		{"an IPv6 /64 is one network", connections.Config{Max: 100, PerNetwork: 1}, "v6-1 v6-2 v6-other", "0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			proxy := netip.MustParseAddr("10.0.0.1")
			tt.cfg.Trusted = func(a netip.Addr) bool { return a == proxy }
			l := connections.New(tt.cfg, slog.New(slog.DiscardHandler))
			addresses := map[string]string{
				"a": "192.0.2.1", "b": "192.0.2.2", "c": "192.0.2.3", "d": "192.0.2.4", "e": "192.0.2.5", "proxy": "10.0.0.1",
				"v6-1": "2001:db8::1", "v6-2": "2001:db8::2", "v6-other": "2001:db8:1::1",
			}
			states := map[string]http.ConnState{
				"active": http.StateActive, "idle": http.StateIdle, "closed": http.StateClosed, "hijacked": http.StateHijacked,
			}
			var all []*conn
			var accepted []net.Conn
			for step := range strings.FieldsSeq(tt.steps) {
				if state, number, ok := strings.Cut(step, ":"); ok {
					l.Changed(accepted[number[0]-'0'], states[state])
					continue
				}
				c := &conn{from: addresses[step]}
				one, _ := l.Listener(&script{results: []any{c}}).Accept()
				all, accepted = append(all, c), append(accepted, one)
			}
			var closed []string
			for i, c := range all {
				if c.closed {
					closed = append(closed, strconv.Itoa(i))
				}
			}
			is.Equal(strings.Join(closed, " "), tt.closed)
		})
	}
}

// A network may open a limited number of connections within a time, whether or not it closes them.
func TestNewConnectionsOfNetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		proxy := netip.MustParseAddr("10.0.0.1")
		cfg := connections.Config{Max: 4000, PerNetwork: 300, Trusted: func(a netip.Addr) bool { return a == proxy }}
		l := connections.New(cfg, slog.New(slog.DiscardHandler))
		open := func(from string, n int) (accepted int) {
			for range n {
				c, err := l.Listener(&script{results: []any{&conn{from: from}}}).Accept()
				if err == nil {
					accepted++
					l.Changed(c, http.StateClosed)
				}
			}
			return accepted
		}
		is.Equal(open("192.0.2.1", 400), 300)
		is.Equal(open("192.0.2.2", 400), 300) // another network has its own quota
		is.Equal(open("10.0.0.1", 1000), 1000)
		is.Equal(l.Stats().Refused, int64(200))
		time.Sleep(time.Second)
		is.Equal(open("192.0.2.1", 400), 30)
	})
}
