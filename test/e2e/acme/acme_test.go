package acme_test

import (
	"net/http"
	"os/exec"
	"strconv"
	"testing"

	"github.com/matryer/is"
)

// TestChallenges obtains a certificate with each of the two challenges. Nothing listens on the port
// on which the authority checks the other challenge.
func TestChallenges(t *testing.T) {
	tests := []struct {
		name   string
		plain  bool // the server also listens for plain HTTP
		tlsToo bool // the authority checks TLS-ALPN-01 on the port of the server
	}{
		{name: "over HTTPS, TLS-ALPN-01", tlsToo: true},
		{name: "over plain HTTP, HTTP-01", plain: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newServer(t)
			a := newAuthority(t, number(s.plainPort), number(freePort(t, "tcp")))
			if tt.tlsToo {
				a = newAuthority(t, number(freePort(t, "tcp")), number(s.port))
			}
			s.start(t, a, tt.plain)

			s.certificate(t, "school.example") // waits until it is issued
			response, err := s.client(a, "school.example").Get(s.url("school.example", "/healthz"))
			is.NoErr(err)
			is.Equal(response.StatusCode, http.StatusOK)
			is.Equal(response.TLS.PeerCertificates[0].DNSNames, []string{"school.example"})
			is.NoErr(response.Body.Close())
		})
	}
}

// TestRestart checks that the server saves its certificate: a new process serves it while the
// authority is stopped.
func TestRestart(t *testing.T) {
	is := is.New(t)
	s := newServer(t)
	a := newAuthority(t, number(freePort(t, "tcp")), number(s.port))
	s.start(t, a, false)
	first := s.certificate(t, "school.example")
	s.stop(t)
	a.Close()
	s.start(t, a, false)
	is.Equal(s.certificate(t, "school.example"), first)
}

// TestOtherNames checks that the server requests no certificate for a name that is not configured,
// or for a client that sends no name. It serves the certificate of the first host instead, so that
// health checks by IP address work.
func TestOtherNames(t *testing.T) {
	is := is.New(t)
	s := newServer(t)
	a := newAuthority(t, number(freePort(t, "tcp")), number(s.port))
	s.start(t, a, false)
	first := s.certificate(t, "school.example")
	is.Equal(s.certificate(t, "other.example"), first)
	is.Equal(s.certificate(t, ""), first)
	is.True(s.certificate(t, "www.school.example") != first) // the second configured host

	check := exec.Command(program, "healthcheck", "--addr", s.addr(), "--tls.mode", "acme")
	out, err := check.CombinedOutput()
	is.NoErr(err)
	is.Equal(string(out), "ready\n")
}

// TestPlainHTTP checks which requests over plain HTTP are redirected, refused and served.
func TestPlainHTTP(t *testing.T) {
	s := newServer(t)
	a := newAuthority(t, number(freePort(t, "tcp")), number(s.port))
	s.start(t, a, true)
	tests := []struct {
		method, host, path string
		status             int
		location           string
	}{
		{"GET", "school.example", "/", 308, s.url("school.example", "/")},
		{"HEAD", "school.example", "/docs", 308, s.url("school.example", "/docs")},
		{"GET", "www.school.example", "/learn/a?b=c", 308, s.url("www.school.example", "/learn/a?b=c")},
		{"GET", "school.example", "/invitations/x", 308, s.url("school.example", "/invitations/x")},
		{"GET", "evil.example", "/", 308, s.url("school.example", "/")},
		{"POST", "school.example", "/", 403, ""},
		{"GET", "school.example", "/v2/courses", 403, ""},
		{"GET", "school.example", "/v1/courses", 403, ""},
		{"GET", "school.example", "/healthz", 200, ""},
		{"GET", "school.example", "/.well-known/acme-challenge/unknown", 404, ""},
	}
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.host+tt.path, func(t *testing.T) {
			is := is.New(t)
			request, err := http.NewRequest(tt.method, "http://127.0.0.1:"+s.plainPort+tt.path, http.NoBody)
			is.NoErr(err)
			request.Host = tt.host
			request.Header.Set("X-Api-Key", "lyc_unknown")
			response, err := http.DefaultTransport.RoundTrip(request)
			is.NoErr(err)
			is.Equal(response.StatusCode, tt.status)
			is.Equal(response.Header.Get("Location"), tt.location)
			is.NoErr(response.Body.Close())
		})
	}
}

func number(port string) int {
	n, _ := strconv.Atoi(port)
	return n
}
