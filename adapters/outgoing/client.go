// Package outgoing returns HTTP clients for requests to servers that a school has chosen, such as
// its identity provider. Such a server may be slow, may send endless responses or what takes long to
// parse or verify, and may have an address in the network of this server. Start at NewClient.
package outgoing

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"lyceum/adapters/tracing"
)

// Config configures a client.
type Config struct {
	// Allowed contains the networks with non-public addresses to which the client may connect. All
	// other non-public addresses are refused, so that a school cannot reach the network of this
	// server.
	Allowed []netip.Prefix
	// Timeout is the maximum duration of a request with its response.
	Timeout time.Duration
	// MaxBody is the maximum size of a response body in bytes.
	MaxBody int64
	// Roots contains the certificates of the authorities that the client trusts. nil: those of the
	// system.
	Roots *x509.CertPool
}

const (
	// maxHeader is the maximum size of the header of a response, in bytes. Parsing thousands of short
	// fields takes milliseconds.
	maxHeader = 8 << 10
	// idleTimeout is how long an unused connection stays open.
	idleTimeout = 30 * time.Second
	// idlePerHost is the maximum number of unused connections to one host.
	idlePerHost = 2
	// idleConns is the maximum number of unused connections.
	idleConns = 64
)

// NewClient returns a client. It checks the address of each connection, so that a name with several
// addresses, or with another address at the next lookup, does not circumvent the check. It follows
// no redirects, uses no proxy, and returns an error when a body is longer than MaxBody. It does not use
// HTTP/2, because a server can send frames that belong to no response.
func NewClient(cfg Config) *http.Client {
	protocols := &http.Protocols{}
	protocols.SetHTTP1(true)
	d := dialer{
		cfg: cfg, dialer: net.Dialer{Timeout: cfg.Timeout, ControlContext: refusePrivate(cfg.Allowed)},
		handshakes: newSlots(),
	}
	return &http.Client{
		Timeout: cfg.Timeout,
		Transport: tracing.Transport(bounded{cfg.MaxBody, &renewed{create: func() *http.Transport {
			return &http.Transport{
				DialContext: d.dial, DialTLSContext: d.dialTLS, Protocols: protocols, ResponseHeaderTimeout: cfg.Timeout,
				MaxResponseHeaderBytes: maxHeader, IdleConnTimeout: idleTimeout, MaxIdleConns: idleConns, MaxIdleConnsPerHost: idlePerHost,
			}
		}}}),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// dialer opens connections.
type dialer struct {
	cfg        Config
	dialer     net.Dialer
	handshakes chan struct{} // slots of their turns
}

// dial opens a connection to an address.
func (d dialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := d.dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return limit(c, &turn{ended: true}), nil // there is no handshake
}

// dialTLS opens a TLS connection to an address.
func (d dialer) dialTLS(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, d.cfg.Timeout)
	defer cancel()
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	plain, err := d.dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	t := &turn{ctx: ctx, slots: d.handshakes}
	secure := tls.Client(limit(plain, t), tlsConfig(host, d.cfg.Roots))
	err = secure.HandshakeContext(ctx)
	t.stop()
	if err != nil {
		return nil, errors.Join(err, plain.Close())
	}
	return secure, nil
}

// bounded limits the size of responses, and replaces the texts of their status lines, because the
// server can write anything into them.
type bounded struct {
	max   int64
	inner http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := b.inner.RoundTrip(onConnection(r, maxHeader+b.max))
	if err == nil {
		response.Body = http.MaxBytesReader(nil, response.Body, b.max)
		response.Status = strconv.Itoa(response.StatusCode) + " " + cmp.Or(http.StatusText(response.StatusCode), "Unknown")
	}
	return response, err
}
