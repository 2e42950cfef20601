package transport

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"time"
)

// Config is the configuration of a Server.
type Config struct {
	Addr              string         // host:port; an empty host means every address, port 0 any free port
	Mode              Mode           // how connections are secured; required
	CertFile, KeyFile string         // PEM files for the mode Files: the certificate chain and the private key
	Names             []string       // additional host names and addresses of the certificate in the mode SelfSigned
	ACME              ACMEConfig     // settings of the mode ACME
	Proxies           []netip.Prefix // trusted proxies in the mode Proxy
	MaxConnections    int            // open connections; 0: as many as the limit of open files allows, at most 4096
	PerNetwork        int            // open connections of one network of clients; 0: a quarter of MaxConnections
	ShutdownDelay     time.Duration  // time from Stop until new requests are no longer accepted; at least 0
	ShutdownTimeout   time.Duration  // additional time for running requests to finish; above 0
}

// Defaults returns the configuration of a server for clients on the same machine.
func Defaults() Config {
	return Config{
		Addr: "127.0.0.1:8080", Mode: Off, ShutdownTimeout: 10 * time.Second,
		ACME: ACMEConfig{Directory: LetsEncrypt, HTTPAddr: ":80"},
	}
}

// Validate returns the errors of all settings, joined. Each starts with the name of its setting.
func (c Config) Validate() error {
	return errors.Join(c.checkAddr(), c.checkMode(), c.checkFiles(), c.checkACME(), c.checkProxies(), c.checkConnections(), c.checkShutdown())
}

func (c Config) checkAddr() error {
	host, port, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return fmt.Errorf("addr: %q must have the form host:port, such as 127.0.0.1:8080", c.Addr)
	}
	if _, err := net.DefaultResolver.LookupPort(context.Background(), "tcp", port); err != nil || port == "" {
		return fmt.Errorf("addr: %q has no valid port", c.Addr)
	}
	ip, err := netip.ParseAddr(host)
	named := host != "" && err != nil // a host name is resolved when the server listens
	if c.Mode == Off && !named && !ip.IsLoopback() {
		return exposed(c.Addr)
	}
	return nil
}

// exposed returns the error for the mode Off with an addr that other machines can reach.
func exposed(addr string) error {
	return fmt.Errorf("tls.mode: off serves only this machine, but addr %s is reachable from other machines: "+
		"listen on 127.0.0.1, or choose self-signed, files, acme, proxy or insecure", addr)
}

func (c Config) checkMode() error {
	if !slices.Contains(Modes(), c.Mode) {
		return fmt.Errorf("tls.mode: must be one of: off, self-signed, files, acme, proxy, insecure; got %q", c.Mode)
	}
	return nil
}

func (c Config) checkFiles() error {
	var errs []error
	for _, f := range []struct{ name, value string }{{"tls.cert", c.CertFile}, {"tls.key", c.KeyFile}} {
		switch {
		case c.Mode == Files && f.value == "":
			errs = append(errs, fmt.Errorf("%s: is required with --tls.mode=files", f.name))
		case c.Mode != Files && f.value != "":
			errs = append(errs, fmt.Errorf("%s: is allowed only with --tls.mode=files, not %s", f.name, c.Mode))
		}
	}
	return errors.Join(errs...)
}

func (c Config) checkProxies() error {
	switch {
	case c.Mode == Proxy && len(c.Proxies) == 0:
		return errors.New("trusted-proxies: is required with --tls.mode=proxy")
	case c.Mode != Proxy && len(c.Proxies) > 0:
		return fmt.Errorf("trusted-proxies: is allowed only with --tls.mode=proxy, not %s", c.Mode)
	}
	return nil
}

func (c Config) checkConnections() error {
	var errs []error
	if c.MaxConnections < 0 {
		errs = append(errs, errors.New("connections.max: must not be negative"))
	}
	if c.PerNetwork < 0 {
		errs = append(errs, errors.New("connections.per-network: must not be negative"))
	}
	return errors.Join(errs...)
}

func (c Config) checkShutdown() error {
	var errs []error
	if c.ShutdownTimeout <= 0 {
		errs = append(errs, errors.New("shutdown.timeout: must be greater than 0"))
	}
	if c.ShutdownDelay < 0 {
		errs = append(errs, errors.New("shutdown.delay: must not be negative"))
	}
	return errors.Join(errs...)
}
