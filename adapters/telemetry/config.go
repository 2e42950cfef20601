package telemetry

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// Config is where the figures are told.
type Config struct {
	// Addr is the address to listen on, host:port; blank: nowhere. Every client
	// that reaches it can read everything.
	Addr string
	// Open allows an Addr that other machines can reach.
	Open bool
	// Store is the name of the store, which every figure of a request bears.
	Store string
}

// Validate returns what is wrong with c, beginning with the setting's name.
func (c Config) Validate() error {
	if c.Addr == "" {
		return nil
	}
	host, _, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return fmt.Errorf("metrics.addr: %q is not an address such as 127.0.0.1:9090", c.Addr)
	}
	if !isLocal(host) && !c.Open {
		return fmt.Errorf("metrics.open: metrics and profiles ask for no key, but metrics.addr %s is open to other machines: "+
			"listen on 127.0.0.1, or set metrics.open if the network keeps strangers out", c.Addr)
	}
	return nil
}

// guard passes on the requests that h may answer. Unless it is open to other machines,
// the host that they name is this one: a page of another host can make its own name
// lead to this machine and read what is answered there.
func (c Config) guard(h http.Handler) http.Handler {
	if c.Open {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if u := (url.URL{Host: r.Host}); !isLocal(u.Hostname()) {
			http.Error(w, "this listener answers requests to localhost only", http.StatusForbidden)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// isLocal reports whether a host is this machine.
func isLocal(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}
