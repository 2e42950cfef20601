package connections

import (
	"container/list"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"lyceum/adapters/limiter"
)

// Config configures a Limiter.
type Config struct {
	Max        int                   // open connections; 0: derived from the limit of open files
	PerNetwork int                   // open connections of one network; 0: a quarter of Max
	Trusted    func(netip.Addr) bool // proxies, whose connections are limited by Max only; nil: none
}

// freePart limits a network to 1/freePart of the free connections, so that a few networks together
// cannot take all connections: if n networks open as many as they can, each gets one of n+3 equal
// parts.
const freePart = 3

// A network may open as many connections as it may have open, but at least minQuota, within
// quotaWindow, because the start of a connection costs the server more than the client. An HTTP/2
// connection that is closed for its requests counts as 1/closedPart of this quota, because it may have
// begun many requests at once.
const (
	minQuota     = 200
	quotaWindow  = 10 * time.Second
	closedPart   = 4
	keptNetworks = 1 << 14 // networks whose quotas are known
)

// Limiter limits open connections. A new connection beyond a limit replaces the connection that has
// waited longest for a request, within its network or overall. If no connection is waiting, the new
// connection is closed. A Limiter is safe for concurrent use.
type Limiter struct {
	cfg   Config
	log   *slog.Logger
	new   *limiter.RateLimiter // new connections of a network
	input *limiter.RateLimiter // bytes of a network that belong to no request

	mu       sync.Mutex
	open     map[net.Conn]*connection
	networks map[[16]byte]*network
	waiting  list.List // *connection values without a request, the longest waiting first
	requests int       // in progress on HTTP/2 connections
	stats    Stats
}

// Stats contains counts of connections.
type Stats struct {
	Open, Waiting     int   // current counts; waiting connections have no request
	Refused, Replaced int64 // since the start: new connections and HTTP/2 requests refused, waiting connections closed
}

type network struct {
	id       [16]byte
	open     int
	requests int       // in progress on HTTP/2 connections
	waiting  list.List // *connection values
}

type connection struct {
	net.Conn
	network *network // nil: a trusted proxy

	// elements in the lists of waiting connections; nil during a request
	ofAll, ofNetwork *list.Element
}

// New returns a Limiter without connections.
func New(cfg Config, log *slog.Logger) *Limiter {
	if cfg.Max <= 0 {
		cfg.Max = DefaultMax()
	}
	if cfg.PerNetwork <= 0 {
		cfg.PerNetwork = max(1, cfg.Max/4)
	}
	quota := limiter.RateConfig{Quota: max(cfg.PerNetwork, minQuota), Window: quotaWindow, Kept: keptNetworks}
	return &Limiter{
		cfg: cfg, log: log, new: limiter.NewRateLimiter(quota),
		input: limiter.NewRateLimiter(limiter.RateConfig{Quota: inputQuota, Window: inputWindow, Kept: keptNetworks}),
		open:  map[net.Conn]*connection{}, networks: map[[16]byte]*network{},
	}
}

// Stats returns the current counts.
func (l *Limiter) Stats() Stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.stats
	s.Open, s.Waiting = len(l.open), l.waiting.Len()
	return s
}

// admit adds c and returns it with a limit of its input, or returns nil if it may not stay open. It
// may close another connection.
func (l *Limiter) admit(c net.Conn) net.Conn {
	address := addressOf(c.RemoteAddr().String())
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.networkOf(address)
	if n != nil {
		if _, ok := l.new.Take(n.id); !ok {
			l.stats.Refused++
			return nil
		}
	}
	free := l.cfg.Max - len(l.open)
	switch {
	case n != nil && n.open >= l.share(free):
		if !l.closeLongest(&n.waiting) {
			l.stats.Refused++
			return nil
		}
	case free <= 0:
		if !l.closeLongest(&l.waiting) {
			l.stats.Refused++
			return nil
		}
	}
	if n != nil {
		l.networks[n.id] = n
		n.open++
		c = l.newInput(c, n)
	}
	added := &connection{Conn: c, network: n}
	l.open[c] = added
	l.wait(added)
	return c
}

// Changed records a change of the state of a connection. It has the type of http.Server.ConnState.
func (l *Limiter) Changed(c net.Conn, state http.ConnState) {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	changed := l.open[c]
	if changed == nil {
		return // the connection was already replaced
	}
	switch state {
	case http.StateActive:
		l.stopWaiting(changed)
	case http.StateIdle:
		l.stopWaiting(changed)
		l.wait(changed)
	case http.StateClosed, http.StateHijacked:
		l.remove(changed)
	}
}

// closeLongest closes the connection that has waited longest, and reports whether there was one.
func (l *Limiter) closeLongest(waiting *list.List) bool {
	first := waiting.Front()
	if first == nil {
		return false
	}
	c := first.Value.(*connection)
	l.remove(c)
	_ = c.Close()
	l.stats.Replaced++
	return true
}

// share returns the maximum number of connections, or of requests on HTTP/2 connections, of one
// network while free more are possible in total.
func (l *Limiter) share(free int) int { return min(l.cfg.PerNetwork, max(1, free/freePart)) }

// addressOf returns the IP address of a client whose address and port are remote.
func addressOf(remote string) netip.Addr {
	at, _ := netip.ParseAddrPort(remote)
	return at.Addr().Unmap().WithZone("")
}
