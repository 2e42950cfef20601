package transport_test

import (
	"log/slog"
	"net/netip"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/transport"
)

func TestConfig(t *testing.T) {
	tests := []struct {
		name string
		edit func(*transport.Config)
		want string // empty: valid
	}{
		{"the defaults", func(*transport.Config) {}, ""},
		{"another loopback address", func(c *transport.Config) { c.Addr = "127.8.9.1:0" }, ""},
		{"the loopback address of IPv6", func(c *transport.Config) { c.Addr = "[::1]:80" }, ""},
		{"a name", func(c *transport.Config) { c.Addr = "localhost:http" }, ""},
		{"no port", func(c *transport.Config) { c.Addr = "127.0.0.1" }, `addr: "127.0.0.1" must have the form host:port, such as 127.0.0.1:8080`},
		{"a blank port", func(c *transport.Config) { c.Addr = "127.0.0.1:" }, `addr: "127.0.0.1:" has no valid port`},
		{"a port too high", func(c *transport.Config) { c.Addr = "127.0.0.1:70000" }, `addr: "127.0.0.1:70000" has no valid port`},
		{
			"plain HTTP on every address", func(c *transport.Config) { c.Addr = ":8080" },
			"tls.mode: off serves only this machine, but addr :8080 is reachable from other machines: " +
				"listen on 127.0.0.1, or choose self-signed, files, acme, proxy or insecure",
		},
		{
			"plain HTTP on an address of the network", func(c *transport.Config) { c.Addr = "192.0.2.7:80" },
			"tls.mode: off serves only this machine, but addr 192.0.2.7:80 is reachable from other machines: " +
				"listen on 127.0.0.1, or choose self-signed, files, acme, proxy or insecure",
		},
		{"plain HTTP everywhere, said aloud", func(c *transport.Config) { c.Addr, c.Mode = ":8080", transport.Insecure }, ""},
		{"a pair made at start", func(c *transport.Config) { c.Addr, c.Mode = ":8080", transport.SelfSigned }, ""},
		{
			"no such mode", func(c *transport.Config) { c.Mode = "on" },
			`tls.mode: must be one of: off, self-signed, files, acme, proxy, insecure; got "on"`,
		},
		{
			"files without files", func(c *transport.Config) { c.Mode = transport.Files },
			"tls.cert: is required with --tls.mode=files\ntls.key: is required with --tls.mode=files",
		},
		{
			"a file without its mode", func(c *transport.Config) { c.CertFile = "c.pem" },
			"tls.cert: is allowed only with --tls.mode=files, not off",
		},
		{
			"acme without hosts and cache", func(c *transport.Config) { c.Mode = transport.ACME },
			"tls.acme.hosts: is required with --tls.mode=acme\ntls.acme.cache: is required with --tls.mode=acme",
		},
		{
			"hosts without their mode", func(c *transport.Config) { c.ACME.Hosts = []string{"a.example"} },
			"tls.acme.hosts: is allowed only with --tls.mode=acme, not off",
		},
		{
			"an address as host", acme(func(a *transport.ACMEConfig) { a.Hosts = []string{"a.example", "192.0.2.7"} }),
			`tls.acme.hosts: "192.0.2.7" must be a host name in lowercase, such as school.example`,
		},
		{
			"a host with a port", acme(func(a *transport.ACMEConfig) { a.Hosts = []string{"a.example:443"} }),
			`tls.acme.hosts: "a.example:443" must be a host name in lowercase, such as school.example`,
		},
		{
			"a wildcard", acme(func(a *transport.ACMEConfig) { a.Hosts = []string{"*.example.org"} }),
			`tls.acme.hosts: "*.example.org" must be a host name in lowercase, such as school.example`,
		},
		{
			"a directory over plain HTTP", acme(func(a *transport.ACMEConfig) { a.Directory = "http://ca.example" }),
			`tls.acme.directory: "http://ca.example" must be an HTTPS URL, such as ` + transport.LetsEncrypt,
		},
		{
			"an address for plain HTTP without a port", acme(func(a *transport.ACMEConfig) { a.HTTPAddr = "80" }),
			`tls.acme.http-addr: "80" must have the form host:port, such as :80`,
		},
		{"acme", acme(func(*transport.ACMEConfig) {}), ""},
		{
			"proxy without proxies", func(c *transport.Config) { c.Mode = transport.Proxy },
			"trusted-proxies: is required with --tls.mode=proxy",
		},
		{
			"proxies without their mode",
			func(c *transport.Config) { c.Proxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")} },
			"trusted-proxies: is allowed only with --tls.mode=proxy, not off",
		},
		{"negative connections", func(c *transport.Config) { c.MaxConnections = -1 }, "connections.max: must not be negative"},
		{"negative connections of a network", func(c *transport.Config) { c.PerNetwork = -1 }, "connections.per-network: must not be negative"},
		{"no time to finish", func(c *transport.Config) { c.ShutdownTimeout = 0 }, "shutdown.timeout: must be greater than 0"},
		{"a negative delay", func(c *transport.Config) { c.ShutdownDelay = -time.Second }, "shutdown.delay: must not be negative"},
		{
			"several at once", func(c *transport.Config) { c.Addr, c.Mode, c.ShutdownTimeout = "x", "y", 0 },
			"addr: \"x\" must have the form host:port, such as 127.0.0.1:8080\n" +
				"tls.mode: must be one of: off, self-signed, files, acme, proxy, insecure; got \"y\"\n" +
				"shutdown.timeout: must be greater than 0",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			cfg := transport.Defaults()
			tt.edit(&cfg)
			_, err := transport.New(cfg, slog.New(slog.DiscardHandler))
			if tt.want == "" {
				is.NoErr(err)
				return
			}
			is.True(err != nil)
			is.Equal(err.Error(), tt.want)
		})
	}
}

// acme returns a function that sets a valid configuration of the mode ACME and then calls edit to
// change it.
func acme(edit func(a *transport.ACMEConfig)) func(c *transport.Config) {
	return func(c *transport.Config) {
		c.Mode = transport.ACME
		c.ACME.Hosts, c.ACME.Cache = []string{"school.example"}, "certificates"
		edit(&c.ACME)
	}
}
