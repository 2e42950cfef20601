package transport

import (
	"context"
	"net"
	"net/http"
	"slices"
	"strings"
)

// listenPlain listens for plain HTTP in the mode ACME, if an address is configured.
func (s *Server) listenPlain(ctx context.Context) (net.Listener, error) {
	if s.acme == nil || s.cfg.ACME.HTTPAddr == "" {
		return nil, nil
	}
	return listenOn(ctx, "tls.acme.http-addr", s.cfg.ACME.HTTPAddr)
}

// plainHandler answers challenges of the certificate authority (HTTP-01) and redirects pages to
// HTTPS. It passes all other requests to next.
func (s *Server) plainHandler(next http.Handler) http.Handler {
	challenges := s.acme.autocert.HTTPHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isPage(r) {
			http.Redirect(w, r, s.secureURL(r), http.StatusPermanentRedirect)
			return
		}
		next.ServeHTTP(w, r)
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// autocert does not know hosts with a port, which an authority sends if it checks a port
		// other than 80.
		if name, _, err := net.SplitHostPort(r.Host); err == nil {
			r.Host = name
		}
		challenges.ServeHTTP(w, r)
	})
}

// apiPaths contains the prefixes of the paths of the API. A request for them is not redirected: its
// key was already sent in plain text, and a redirect would hide that from the developer of the
// client.
var apiPaths = []string{"/v1/", "/v2/", "/healthz", "/readyz", "/openapi.json", "/files/"}

func isPage(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) &&
		!slices.ContainsFunc(apiPaths, func(prefix string) bool { return strings.HasPrefix(r.URL.Path, prefix) })
}

// secureURL returns the HTTPS URL of a request, with the port of the HTTPS listener. If the client
// names a host that is not configured, the URL has the first configured host.
func (s *Server) secureURL(r *http.Request) string {
	host := r.Host
	if !slices.Contains(s.acme.hosts, host) {
		host = s.acme.hosts[0]
	}
	if _, port, err := net.SplitHostPort(strings.TrimPrefix(s.url, "https://")); err == nil {
		host = net.JoinHostPort(host, port)
	}
	return "https://" + host + r.URL.RequestURI()
}
