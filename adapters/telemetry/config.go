package telemetry

import (
	"fmt"
	"net"
)

// Config is where the figures are told.
type Config struct {
	// Addr is the address to listen on, host:port; blank: nowhere. Whoever
	// reaches it can read everything, so it should be a private one.
	Addr string
	// Store is the name of the store, which every figure of a request bears.
	Store string
}

// Validate returns what is wrong with c, beginning with the setting's name.
func (c Config) Validate() error {
	if c.Addr == "" {
		return nil
	}
	if _, _, err := net.SplitHostPort(c.Addr); err != nil {
		return fmt.Errorf("metrics.addr: %q is not an address such as 127.0.0.1:9090", c.Addr)
	}
	return nil
}
