package outgoing_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"math"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/outgoing"
)

// authority signs certificates.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	is.New(t).NoErr(err)
	return key
}

// newAuthority returns an authority that no other has signed.
func newAuthority(t *testing.T) authority {
	t.Helper()
	a := authority{key: newKey(t)}
	a.cert = template("Root")
	a.cert.IsCA, a.cert.BasicConstraintsValid = true, true
	a.cert = a.sign(t, a.cert, a.key.Public())
	return a
}

// sign returns a certificate for a public key.
func (a authority) sign(t *testing.T, c *x509.Certificate, key crypto.PublicKey) *x509.Certificate {
	t.Helper()
	is := is.New(t)
	raw, err := x509.CreateCertificate(rand.Reader, c, a.cert, key, a.key)
	is.NoErr(err)
	signed, err := x509.ParseCertificate(raw)
	is.NoErr(err)
	return signed
}

func template(name string) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
}

// ofServer returns the template of a certificate for the address of test servers.
func ofServer() *x509.Certificate {
	c := template("Server")
	c.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	return c
}

// serveTLS starts a server with certificates, the first of which belongs to key, and returns its URL.
func serveTLS(t *testing.T, key crypto.PrivateKey, certs ...*x509.Certificate) string {
	t.Helper()
	chain := tls.Certificate{PrivateKey: key}
	for _, c := range certs {
		chain.Certificate = append(chain.Certificate, c.Raw)
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/long" {
			_, _ = w.Write(make([]byte, 1<<10))
			return
		}
		_, _ = fmt.Fprint(w, r.Proto)
	}))
	s.EnableHTTP2 = true
	s.TLS = &tls.Config{Certificates: []tls.Certificate{chain}}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL
}

// client returns a client that trusts an authority.
func client(trusted authority) *http.Client {
	roots := x509.NewCertPool()
	roots.AddCert(trusted.cert)
	return outgoing.NewClient(outgoing.Config{Allowed: loopback, Timeout: 5 * time.Second, MaxBody: 1 << 10, Roots: roots})
}

// The server of a trusted certificate is accepted, without HTTP/2, and other ones are refused.
func TestCertificatesAreVerified(t *testing.T) {
	root, key := newAuthority(t), newKey(t)
	expired, other, named := ofServer(), ofServer(), ofServer()
	expired.NotAfter = time.Now().Add(-time.Minute)
	other.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 2)}
	named.IPAddresses, named.DNSNames = nil, []string{"localhost"}
	for name, test := range map[string]struct {
		by   authority
		cert *x509.Certificate
		ok   bool
	}{
		"a trusted certificate":                   {root, ofServer(), true},
		"an expired one":                          {root, expired, false},
		"one of another address":                  {root, other, false},
		"one of a name, at an address":            {root, named, false},
		"one of an authority that is not trusted": {newAuthority(t), ofServer(), false},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			_, body, err := get(t.Context(), client(root), serveTLS(t, key, test.by.sign(t, test.cert, key.Public())))
			if test.ok {
				is.NoErr(err)
				is.Equal(body, "HTTP/1.1")
				return
			}
			invalid := (*tls.CertificateVerificationError)(nil)
			is.True(errors.As(err, &invalid))
		})
	}
}

// Certificates that take long to verify are refused, even if a trusted authority has signed them.
func TestExpensiveCertificatesAreRefused(t *testing.T) {
	root, key := newAuthority(t), newKey(t)
	own := root.sign(t, ofServer(), key.Public())
	further := func(n int) (all []*x509.Certificate) {
		for i := range n {
			all = append(all, root.sign(t, template(fmt.Sprintf("Authority %d", i)), key.Public()))
		}
		return all
	}
	number := func(bits uint) *big.Int {
		return new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), bits), big.NewInt(1))
	}
	p521, err := ecdsa.GenerateKey(elliptic.P521(), rand.Reader)
	is.New(t).NoErr(err)
	constrained, many := template("Constrained"), ofServer()
	for i := range 101 {
		many.DNSNames = append(many.DNSNames, fmt.Sprintf("a%d.example.com", i))
		constrained.PermittedDNSDomains = append(constrained.PermittedDNSDomains, fmt.Sprintf("b%d.example.com", i))
	}
	for name, test := range map[string]struct {
		certs []*x509.Certificate
		ok    bool
	}{
		"six certificates":       {append([]*x509.Certificate{own}, further(5)...), true},
		"seven":                  {append([]*x509.Certificate{own}, further(6)...), false},
		"one that is sent twice": {[]*x509.Certificate{own, own}, true},
		"two of the same name":   {append([]*x509.Certificate{own}, append(further(1), further(1)...)...), false},
		"an RSA key of 4096":     {[]*x509.Certificate{own, root.sign(t, template("RSA"), &rsa.PublicKey{N: number(4096), E: 1<<16 + 1})}, true},
		"an RSA key of 8192":     {[]*x509.Certificate{own, root.sign(t, template("RSA"), &rsa.PublicKey{N: number(8192), E: 1<<16 + 1})}, false},
		"a large exponent":       {[]*x509.Certificate{own, root.sign(t, template("RSA"), &rsa.PublicKey{N: number(2048), E: math.MaxInt32})}, false},
		"a key on P-521":         {[]*x509.Certificate{own, root.sign(t, template("EC"), p521.Public())}, false},
		"many names":             {[]*x509.Certificate{root.sign(t, many, key.Public())}, true},
		"names and constraints":  {[]*x509.Certificate{root.sign(t, many, key.Public()), root.sign(t, constrained, key.Public())}, false},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			_, _, err := get(t.Context(), client(root), serveTLS(t, key, test.certs...))
			if test.ok {
				is.NoErr(err)
				return
			}
			is.True(errors.Is(err, outgoing.ErrCertificates))
		})
	}
}

// A handshake with very long certificates fails before they are parsed.
func TestLongHandshakesAreRefused(t *testing.T) {
	is, root, key := is.New(t), newAuthority(t), newKey(t)
	long := ofServer()
	for i := range 1_000 {
		long.DNSNames = append(long.DNSNames, fmt.Sprintf("host%d.example.com", i))
	}
	_, _, err := get(t.Context(), client(root), serveTLS(t, key, root.sign(t, long, key.Public())))
	is.True(err != nil)
	long.DNSNames = long.DNSNames[:500]
	_, _, err = get(t.Context(), client(root), serveTLS(t, key, root.sign(t, long, key.Public())))
	is.NoErr(err)
}

// A connection with certificates of the usual size can be used for many requests and large responses.
func TestConnectionsAreUsedAgain(t *testing.T) {
	is, root, key := is.New(t), newAuthority(t), newKey(t)
	url, c := serveTLS(t, key, root.sign(t, ofServer(), key.Public())), client(root)
	connections := map[string]bool{}
	for range 100 {
		_, body, err := get(httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
			GotConn: func(got httptrace.GotConnInfo) { connections[got.Conn.LocalAddr().String()] = true },
		}), c, url+"/long")
		is.NoErr(err)
		is.Equal(len(body), 1<<10)
	}
	is.Equal(len(connections), 1)
}
