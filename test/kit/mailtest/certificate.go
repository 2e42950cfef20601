package mailtest

import (
	"crypto/tls"
	"crypto/x509"
	"net/http/httptest"
)

// Certificate returns what a server on 127.0.0.1 needs for TLS, and the roots by
// which a client believes it.
func Certificate() (*tls.Config, *x509.CertPool) {
	s := httptest.NewTLSServer(nil) // it has such a pair
	defer s.Close()
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	return &tls.Config{Certificates: s.TLS.Certificates, MinVersion: tls.VersionTLS12}, roots
}
