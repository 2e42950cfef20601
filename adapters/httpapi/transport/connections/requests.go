package connections

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync/atomic"
)

// maxReset is the number of reset requests from which an HTTP/2 connection is closed if it has reset
// most of its requests.
const maxReset = 100

// requests counts the requests of a connection, those of HTTP/1 only by their bytes.
type requests struct {
	conn         net.Conn
	begun, reset atomic.Int64
	closed       atomic.Bool
}

type requestsKey struct{}

// Context adds the counts of a new connection to its context. It has the type of
// http.Server.ConnContext.
func Context(ctx context.Context, c net.Conn) context.Context {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	return context.WithValue(ctx, requestsKey{}, &requests{conn: c})
}

// Requests refuses requests with too many header fields, and limits the requests in progress on
// HTTP/2 connections, each of which can have many, by the limits of connections. Otherwise, a client
// that reads no responses could take much memory with few connections. A connection with a request
// beyond a limit is closed without a response, because a client that does not read would hold even a
// refusal. A connection is also closed if the client resets most of its requests, because begun
// requests cost the server more than the client. Requests of HTTP/1 are limited by their connections.
func (l *Limiter) Requests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		of, ok := r.Context().Value(requestsKey{}).(*requests)
		if !ok {
			next.ServeHTTP(w, r)
			return
		}
		if hasTooManyFields(r) {
			w.Header().Set("Connection", "close")
			http.Error(w, "The request has too many header fields.", http.StatusRequestHeaderFieldsTooLarge)
			return
		}
		r = of.countInput(r)
		if r.ProtoMajor < 2 {
			next.ServeHTTP(w, r)
			return
		}
		n, ok := l.begin(r.RemoteAddr)
		if !ok {
			l.closeFor(of, n)
			panic(http.ErrAbortHandler)
		}
		defer l.end(n)
		defer func() {
			if of.mostlyReset(r.Context()) && n != nil {
				l.closeFor(of, n)
			}
		}()
		next.ServeHTTP(w, r)
		// A small response would be written after the handler has returned, and could then wait for
		// its client without being counted.
		_ = http.NewResponseController(w).Flush()
	})
}

// mostlyReset counts a finished request with the context ctx, and reports whether the client has
// reset most of its requests.
func (q *requests) mostlyReset(ctx context.Context) bool {
	begun, reset := q.begun.Add(1), q.reset.Load()
	if ctx.Err() != nil {
		reset = q.reset.Add(1)
	}
	return reset >= maxReset && 2*reset > begun
}

// closeFor closes a connection for its requests. n is its network, or nil for a trusted proxy. If
// the quota of the network is used up, it does not become smaller, because other clients of the
// network use it too.
func (l *Limiter) closeFor(q *requests, n *network) {
	if n != nil && !q.closed.Swap(true) {
		if _, ok := l.new.Check(n.id); ok {
			l.new.Charge(n.id, l.new.Config().Quota/closedPart)
		}
	}
	_ = q.conn.Close()
}

// begin adds a request and reports whether it may continue. It also returns the network of the
// client, or nil for a trusted proxy.
func (l *Limiter) begin(remote string) (*network, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.networkOf(addressOf(remote))
	free := l.cfg.Max - l.requests
	if free <= 0 || n != nil && n.requests >= l.share(free) {
		l.stats.Refused++
		return n, false
	}
	l.requests++
	if n != nil {
		l.networks[n.id] = n
		n.requests++
	}
	return n, true
}

// end removes a request of a network.
func (l *Limiter) end(n *network) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests--
	if n != nil {
		n.requests--
		l.removeUnused(n)
	}
}
