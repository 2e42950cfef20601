package mailtest

import (
	"crypto/tls"
	"crypto/x509"
	"net/http/httptest"
)

// Certificate returns the TLS configuration of a server on 127.0.0.1 and the roots that a client
// needs to trust it.
func Certificate() (*tls.Config, *x509.CertPool) {
	s := httptest.NewTLSServer(nil) // has a self-signed certificate for 127.0.0.1
	defer s.Close()
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	return &tls.Config{Certificates: s.TLS.Certificates, MinVersion: tls.VersionTLS12}, roots
}
