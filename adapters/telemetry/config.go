package telemetry

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// Config configures the metrics listener.
type Config struct {
	// Addr is the address to listen on, host:port; blank: no listener. There is no
	// authentication.
	Addr string
	// Open allows an Addr that other machines can reach.
	Open bool
	// Store is the name of the store. It is a label of all request metrics.
	Store string
	// Version is the version of the program; blank: unknown.
	Version string
}

// Validate returns the first error of a setting, which starts with the name of the setting's flag.
func (c Config) Validate() error {
	if c.Addr == "" {
		return nil
	}
	host, _, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return fmt.Errorf("metrics.addr: %q must have the form host:port, such as 127.0.0.1:9090", c.Addr)
	}
	if !isLocal(host) && !c.Open {
		return fmt.Errorf("metrics.open: metrics and profiles need no authentication, but metrics.addr %s is reachable from other machines: "+
			"listen on 127.0.0.1, or set metrics.open if the network restricts access", c.Addr)
	}
	return nil
}

// guard returns a handler that calls h for allowed requests. Unless c.Open is set, the Host header
// must name this machine; otherwise a web page could point its own host name at this machine (DNS
// rebinding) and read the response.
func (c Config) guard(h http.Handler) http.Handler {
	if c.Open {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if u := (url.URL{Host: r.Host}); !isLocal(u.Hostname()) {
			http.Error(w, "this listener accepts only requests to localhost", http.StatusForbidden)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// isLocal reports whether host names this machine.
func isLocal(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}
