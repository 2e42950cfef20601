package transport

import (
	"net/http"
	"net/netip"
	"strings"
)

// Answerable reports whether the server may respond to r over its connection, and whether r came by
// HTTPS, to this server or to a trusted proxy.
func (s *Server) Answerable(r *http.Request) (answerable, https bool) {
	if r.TLS != nil {
		return true, true
	}
	switch s.cfg.Mode {
	case Off:
		return client(r).IsLoopback() && !proxied(r.Header), false
	case Proxy:
		ok := s.trusts(client(r)) && overHTTPS(r.Header)
		return ok, ok
	case Insecure:
		return true, false
	}
	return false, false
}

func (s *Server) trusts(proxy netip.Addr) bool {
	for _, p := range s.cfg.Proxies {
		if p.Contains(proxy) {
			return true
		}
	}
	return false
}

// client returns the remote address of the connection, or the zero Addr if it is unknown.
func client(r *http.Request) netip.Addr {
	at, _ := netip.ParseAddrPort(r.RemoteAddr)
	return at.Addr().Unmap().WithZone("")
}

// Client returns the address of the client of r: the remote address of the connection or, in the
// mode Proxy, the last address in X-Forwarded-For that does not belong to a trusted proxy. The
// client can forge earlier addresses in the header. Client returns the zero Addr if the remote
// address is unknown.
func (s *Server) Client(r *http.Request) netip.Addr {
	at := client(r)
	if s.cfg.Mode != Proxy {
		return at
	}
	passed := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
	for passed != "" && s.trusts(at) {
		comma := strings.LastIndexByte(passed, ',')
		before, ok := forwarded(passed[comma+1:])
		if !ok {
			break
		}
		at, passed = before, passed[:max(comma, 0)]
	}
	return at
}

// forwarded returns the address in an element of X-Forwarded-For, which can have a port, and
// reports whether the element is valid.
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

// proxied reports whether a proxy forwarded the request. In that case the remote address of the
// connection is not the address of the client.
func proxied(h http.Header) bool {
	for name := range h {
		if name == "Forwarded" || strings.HasPrefix(name, "X-Forwarded-") {
			return true
		}
	}
	return false
}

// overHTTPS reports whether X-Forwarded-Proto says that the proxy received the request over HTTPS.
// If the header has several values, overHTTPS returns false, because the client may have sent one
// of them.
func overHTTPS(h http.Header) bool {
	said := h.Values("X-Forwarded-Proto")
	return len(said) == 1 && strings.EqualFold(strings.TrimSpace(said[0]), "https")
}
