package telemetry

import (
	"fmt"
	"net"
	"net/netip"
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
	ip, err := netip.ParseAddr(host)
	if local := host == "localhost" || err == nil && ip.IsLoopback(); !local && !c.Open {
		return fmt.Errorf("metrics.open: metrics and profiles ask for no key, but metrics.addr %s is open to other machines: "+
			"listen on 127.0.0.1, or set metrics.open if the network keeps strangers out", c.Addr)
	}
	return nil
}
