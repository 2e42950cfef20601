package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

// acmeTimeout is the time limit of one request to the certificate authority.
const acmeTimeout = 30 * time.Second

// manager requests certificates by the ACME protocol and renews them 30 days before they expire.
type manager struct {
	autocert *autocert.Manager
	hosts    []string
}

// newManager returns a manager for cfg, or an error if the cache cannot be written or a file cannot
// be read. It does not connect to the authority.
func newManager(cfg ACMEConfig) (*manager, error) {
	roots, err := cfg.roots()
	if err != nil {
		return nil, err
	}
	if err := checkWritable(cfg.Cache); err != nil {
		return nil, within("tls.acme.cache", err)
	}
	return &manager{hosts: cfg.Hosts, autocert: &autocert.Manager{
		Prompt:     autocert.AcceptTOS,
		Cache:      autocert.DirCache(cfg.Cache),
		HostPolicy: autocert.HostWhitelist(cfg.Hosts...),
		Email:      cfg.Email,
		Client:     cfg.client(roots),
	}}, nil
}

// CheckDirectory requests the ACME directory, to find out whether the authority can be reached.
func (a ACMEConfig) CheckDirectory(ctx context.Context) error {
	roots, err := a.roots()
	if err != nil {
		return err
	}
	_, err = a.client(roots).Discover(ctx)
	return within("tls.acme.directory", err)
}

func (a ACMEConfig) client(roots *x509.CertPool) *acme.Client {
	to := http.DefaultTransport.(*http.Transport).Clone()
	to.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots}
	return &acme.Client{
		DirectoryURL: a.Directory, UserAgent: "lyceum",
		HTTPClient: &http.Client{Transport: to, Timeout: acmeTimeout},
	}
}

// tlsConfig returns the configuration of the listener. The authority can check a host name over the
// same listener (TLS-ALPN-01).
func (m *manager) tlsConfig() *tls.Config {
	tc := m.autocert.TLSConfig()
	tc.MinVersion, tc.GetCertificate = tls.VersionTLS12, m.certificate
	return tc
}

// obtain requests the certificates that are not in the cache, so that the first client does not
// wait for them. It logs errors. The authority connects to the server to check the host names, so
// the server must already accept connections.
func (m *manager) obtain(log *slog.Logger) {
	for _, host := range m.hosts {
		c, err := m.autocert.GetCertificate(&tls.ClientHelloInfo{
			ServerName: host,
			// Without an ECDSA suite here, autocert would request another certificate, with an RSA
			// key.
			CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256},
		})
		if err != nil {
			log.Error("cannot obtain a certificate", "host", host, "error", err)
			continue
		}
		log.Info("certificate available", "host", host, "expires", c.Leaf.NotAfter)
	}
}

// certificate implements GetCertificate of tls.Config. A client that asks for no name or another
// name gets the certificate of the first host, so that probes can use the address of the server.
func (m *manager) certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	if !slices.Contains(m.hosts, hello.ServerName) {
		hello.ServerName = m.hosts[0]
	}
	c, err := m.autocert.GetCertificate(hello)
	if err != nil {
		return nil, fmt.Errorf("no certificate for %s: %w", hello.ServerName, err)
	}
	return c, nil
}

// checkWritable returns an error if no file can be created in dir. It creates dir if it does not
// exist.
func checkWritable(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "check-")
	if err != nil {
		return err
	}
	_ = f.Close()
	return os.Remove(filepath.Clean(f.Name()))
}
