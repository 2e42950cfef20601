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

// Config is where and how a Server listens.
type Config struct {
	Addr              string         // host:port; an empty host is every address, port 0 a free one
	Mode              Mode           // how connections are secured
	CertFile, KeyFile string         // PEM files of the mode Files: the chain, the private key
	Names             []string       // further names and addresses in the pair of the mode SelfSigned
	Proxies           []netip.Prefix // whom the mode Proxy believes
	ShutdownDelay     time.Duration  // how long Stop still accepts while readiness says no; 0 and up
	ShutdownTimeout   time.Duration  // how long Stop then lets requests finish; above 0
}

// Defaults returns the configuration of a server for the machine itself.
func Defaults() Config {
	return Config{Addr: "127.0.0.1:8080", Mode: Off, ShutdownTimeout: 10 * time.Second}
}

// Validate returns all that is wrong with c, each beginning with the setting's
// name, joined by errors.Join.
func (c Config) Validate() error {
	return errors.Join(c.checkAddr(), c.checkMode(), c.checkFiles(), c.checkProxies(), c.checkShutdown())
}

func (c Config) checkAddr() error {
	host, port, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return fmt.Errorf("addr: %q is not host:port, such as 127.0.0.1:8080", c.Addr)
	}
	if _, err := net.DefaultResolver.LookupPort(context.Background(), "tcp", port); err != nil || port == "" {
		return fmt.Errorf("addr: %q has no valid port", c.Addr)
	}
	ip, err := netip.ParseAddr(host)
	named := host != "" && err != nil // a name is looked up, and checked, when the server listens
	if c.Mode == Off && !named && !ip.IsLoopback() {
		return exposed(c.Addr)
	}
	return nil
}

// exposed refuses to listen to other machines without saying how that is secured.
func exposed(addr string) error {
	return fmt.Errorf("tls.mode: off answers this machine only, but addr %s is open to others: "+
		"listen on 127.0.0.1, or choose self-signed, files, proxy or insecure", addr)
}

func (c Config) checkMode() error {
	if !slices.Contains(Modes(), c.Mode) {
		return fmt.Errorf("tls.mode: %q is not one of off, self-signed, files, proxy, insecure", c.Mode)
	}
	return nil
}

func (c Config) checkFiles() error {
	var errs []error
	for _, f := range []struct{ name, value string }{{"tls.cert", c.CertFile}, {"tls.key", c.KeyFile}} {
		switch {
		case c.Mode == Files && f.value == "":
			errs = append(errs, fmt.Errorf("%s: is missing, tls.mode files needs it", f.name))
		case c.Mode != Files && f.value != "":
			errs = append(errs, fmt.Errorf("%s: is only for tls.mode files, not %s", f.name, c.Mode))
		}
	}
	return errors.Join(errs...)
}

func (c Config) checkProxies() error {
	switch {
	case c.Mode == Proxy && len(c.Proxies) == 0:
		return errors.New("trusted-proxies: is missing, tls.mode proxy needs the proxies' addresses")
	case c.Mode != Proxy && len(c.Proxies) > 0:
		return fmt.Errorf("trusted-proxies: is only for tls.mode proxy, not %s", c.Mode)
	}
	return nil
}

func (c Config) checkShutdown() error {
	var errs []error
	if c.ShutdownTimeout <= 0 {
		errs = append(errs, errors.New("shutdown.timeout: must be above 0"))
	}
	if c.ShutdownDelay < 0 {
		errs = append(errs, errors.New("shutdown.delay: must not be negative"))
	}
	return errors.Join(errs...)
}
