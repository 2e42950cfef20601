package transport

import (
	"net/http"
	"net/netip"
	"strings"
)

// Answerable tells whether r came in a way that may be answered, and whether it
// came by HTTPS, here or at a proxy that is believed.
func (s *Server) Answerable(r *http.Request) (answerable, https bool) {
	if r.TLS != nil {
		return true, true
	}
	switch s.cfg.Mode {
	case Off:
		return client(r).IsLoopback() && !proxied(r.Header), false
	case Proxy:
		ok := s.believes(client(r)) && overHTTPS(r.Header)
		return ok, ok
	case Insecure:
		return true, false
	}
	return false, false
}

func (s *Server) believes(proxy netip.Addr) bool {
	for _, p := range s.cfg.Proxies {
		if p.Contains(proxy) {
			return true
		}
	}
	return false
}

// client returns the address at the other end of the connection; the zero Addr,
// which is nobody's, when there is none.
func client(r *http.Request) netip.Addr {
	at, _ := netip.ParseAddrPort(r.RemoteAddr)
	return at.Addr().Unmap().WithZone("")
}

// Client returns the address of the client of r: the other end of the connection
// or, in the mode Proxy, the last address in X-Forwarded-For that is not a trusted
// proxy's. What stands before that address in the header is the client's own
// claim. It is the zero Addr when there is none.
func (s *Server) Client(r *http.Request) netip.Addr {
	at := client(r)
	if s.cfg.Mode != Proxy {
		return at
	}
	passed := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
	for passed != "" && s.believes(at) {
		comma := strings.LastIndexByte(passed, ',')
		before, ok := forwarded(passed[comma+1:])
		if !ok {
			break
		}
		at, passed = before, passed[:max(comma, 0)]
	}
	return at
}

// forwarded returns the address that an element of X-Forwarded-For names, with a
// port or without.
func forwarded(element string) (netip.Addr, bool) {
	element = strings.TrimSpace(element)
	addr, err := netip.ParseAddr(strings.Trim(element, "[]"))
	if err != nil {
		var port netip.AddrPort
		port, err = netip.ParseAddrPort(element)
		addr = port.Addr()
	}
	return addr.Unmap().WithZone(""), err == nil
}

// proxied tells whether somebody else's request is passed on in this one: then
// the connection's other end is not the client.
func proxied(h http.Header) bool {
	for name := range h {
		if name == "Forwarded" || strings.HasPrefix(name, "X-Forwarded-") {
			return true
		}
	}
	return false
}

// overHTTPS tells whether the proxy says that it got the request by HTTPS. Two
// answers are none: one of them may be the client's.
func overHTTPS(h http.Header) bool {
	said := h.Values("X-Forwarded-Proto")
	return len(said) == 1 && strings.EqualFold(strings.TrimSpace(said[0]), "https")
}
