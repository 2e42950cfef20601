package transport_test

import (
	"crypto/tls"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/transport"
)

func TestAnswerable(t *testing.T) {
	type headers [][2]string
	said := headers{{"X-Forwarded-Proto", "https"}}
	tests := []struct {
		name              string
		mode              transport.Mode
		remote            string
		headers           headers
		answerable, https bool
	}{
		{"this machine", transport.Off, "127.0.0.1:5", nil, true, false},
		{"this machine by IPv6", transport.Off, "[::1]:5", nil, true, false},
		{"this machine, IPv4 in IPv6", transport.Off, "[::ffff:127.0.0.1]:5", nil, true, false},
		{"another machine", transport.Off, "192.0.2.7:5", nil, false, false},
		{"an unknown address", transport.Off, "@", nil, false, false},
		{"a client of a proxy on this machine", transport.Off, "127.0.0.1:5", headers{{"X-Forwarded-For", "192.0.2.7"}}, false, false},
		{"another header of proxies", transport.Off, "127.0.0.1:5", headers{{"X-Forwarded-Anything", ""}}, false, false},
		{"the standard's header of proxies", transport.Off, "127.0.0.1:5", headers{{"Forwarded", "for=192.0.2.7"}}, false, false},
		{"a proxy that is not listed", transport.Off, "127.0.0.1:5", said, false, false},

		{"a listed proxy over HTTPS", transport.Proxy, "10.1.2.3:5", said, true, true},
		{"a listed proxy, IPv4 in IPv6", transport.Proxy, "[::ffff:10.1.2.3]:5", said, true, true},
		{"a listed proxy with a zone", transport.Proxy, "[fe80::1%eth0]:5", said, true, true},
		{"in capitals", transport.Proxy, "10.1.2.3:5", headers{{"X-Forwarded-Proto", "HTTPS"}}, true, true},
		{"a listed proxy over HTTP", transport.Proxy, "10.1.2.3:5", headers{{"X-Forwarded-Proto", "http"}}, false, false},
		{"a listed proxy that says nothing", transport.Proxy, "10.1.2.3:5", nil, false, false},
		{"two answers", transport.Proxy, "10.1.2.3:5", headers{{"X-Forwarded-Proto", "https"}, {"X-Forwarded-Proto", "http"}}, false, false},
		{"two answers in one", transport.Proxy, "10.1.2.3:5", headers{{"X-Forwarded-Proto", "https, http"}}, false, false},
		{"a proxy that is not listed", transport.Proxy, "192.0.2.7:5", said, false, false},
		{"this machine is not listed", transport.Proxy, "127.0.0.1:5", nil, false, false},

		{"anybody", transport.Insecure, "192.0.2.7:5", nil, true, false},
		{"anybody who claims HTTPS", transport.Insecure, "192.0.2.7:5", said, true, false},

		{"plain HTTP where HTTPS is spoken", transport.SelfSigned, "127.0.0.1:5", said, false, false},
	}
	for _, tt := range tests {
		t.Run(string(tt.mode)+": "+tt.name, func(t *testing.T) {
			is := is.New(t)
			cfg := local()
			cfg.Mode = tt.mode
			if tt.mode == transport.Proxy {
				cfg.Proxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fe80::1/128")}
			}
			s := create(t, cfg, nil)
			r := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
			r.RemoteAddr = tt.remote
			for _, h := range tt.headers {
				r.Header.Add(h[0], h[1])
			}
			answerable, https := s.Answerable(r)
			is.Equal(answerable, tt.answerable)
			is.Equal(https, tt.https)

			r.TLS = &tls.ConnectionState{}
			answerable, https = s.Answerable(r)
			is.True(answerable && https) // TLS is always answerable
		})
	}
}

func TestClient(t *testing.T) {
	for _, tt := range []struct {
		name   string
		mode   transport.Mode
		remote string
		passed []string
		want   string
	}{
		{"the other end", transport.Insecure, "192.0.2.7:5", nil, "192.0.2.7"},
		{"a claim without a proxy", transport.Insecure, "192.0.2.7:5", []string{"198.51.100.1"}, "192.0.2.7"},
		{"behind a proxy", transport.Proxy, "10.1.2.3:5", []string{"198.51.100.1"}, "198.51.100.1"},
		{"by IPv6", transport.Proxy, "10.1.2.3:5", []string{"2001:db8::7"}, "2001:db8::7"},
		{"with ports", transport.Proxy, "10.1.2.3:5", []string{"[2001:db8::7]:99"}, "2001:db8::7"},
		{"behind two proxies", transport.Proxy, "10.1.2.3:5", []string{"198.51.100.1, 10.9.9.9"}, "198.51.100.1"},
		{"two headers", transport.Proxy, "10.1.2.3:5", []string{"198.51.100.1", "10.9.9.9"}, "198.51.100.1"},
		{"a client that claims to be another", transport.Proxy, "10.1.2.3:5", []string{"203.0.113.9, 198.51.100.1"}, "198.51.100.1"},
		{"a client that claims to be a proxy", transport.Proxy, "10.1.2.3:5", []string{"203.0.113.9, 10.7.7.7, 198.51.100.1"}, "198.51.100.1"},
		{"a proxy that is not trusted", transport.Proxy, "192.0.2.7:5", []string{"198.51.100.1"}, "192.0.2.7"},
		{"no header", transport.Proxy, "10.1.2.3:5", nil, "10.1.2.3"},
		{"no address", transport.Proxy, "10.1.2.3:5", []string{"unknown"}, "10.1.2.3"},
		{"no address before a proxy", transport.Proxy, "10.1.2.3:5", []string{"x, 10.9.9.9"}, "10.9.9.9"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			cfg := local()
			cfg.Mode = tt.mode
			if tt.mode == transport.Proxy {
				cfg.Proxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
			}
			r := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
			r.RemoteAddr = tt.remote
			for _, p := range tt.passed {
				r.Header.Add("X-Forwarded-For", p)
			}
			is.Equal(create(t, cfg, nil).Client(r).String(), tt.want)
		})
	}
}
