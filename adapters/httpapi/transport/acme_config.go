package transport

import (
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"

	"golang.org/x/crypto/acme"
)

// LetsEncrypt is the URL of the ACME directory of Let's Encrypt.
const LetsEncrypt = acme.LetsEncryptURL

// ACMEConfig configures the mode ACME.
type ACMEConfig struct {
	// Hosts contains the host names for which certificates are requested. A client that asks for
	// another name gets the certificate of the first host.
	Hosts []string
	// Email is the address to which the authority may send notices; empty: none.
	Email string
	// Directory is the URL of the authority's ACME directory.
	Directory string
	// Authority is a PEM file with the certificates that authenticate the directory itself; empty:
	// the certificates of the system.
	Authority string
	// Cache is the directory in which the account key and the certificates are kept. Servers that
	// share host names must share it.
	Cache string
	// HTTPAddr is the address of a second listener, for plain HTTP. It answers challenges of the
	// certificate authority and redirects pages to HTTPS. Empty: none.
	HTTPAddr string
}

func (c Config) checkACME() error {
	a := c.ACME
	if c.Mode != ACME {
		if len(a.Hosts) > 0 {
			return fmt.Errorf("tls.acme.hosts: is allowed only with --tls.mode=acme, not %s", c.Mode)
		}
		return nil
	}
	errs := []error{a.checkHosts(), a.checkDirectory()}
	if a.Cache == "" {
		errs = append(errs, errors.New("tls.acme.cache: is required with --tls.mode=acme"))
	}
	if _, _, err := net.SplitHostPort(a.HTTPAddr); err != nil && a.HTTPAddr != "" {
		errs = append(errs, fmt.Errorf("tls.acme.http-addr: %q must have the form host:port, such as :80", a.HTTPAddr))
	}
	return errors.Join(errs...)
}

func (a ACMEConfig) checkHosts() error {
	if len(a.Hosts) == 0 {
		return errors.New("tls.acme.hosts: is required with --tls.mode=acme")
	}
	for _, host := range a.Hosts {
		u, err := url.Parse("https://" + host)
		if err != nil || u.Host != host || u.Port() != "" || net.ParseIP(host) != nil ||
			strings.ToLower(host) != host || !strings.Contains(strings.Trim(host, "."), ".") || strings.Contains(host, "*") {
			return fmt.Errorf("tls.acme.hosts: %q must be a host name in lowercase, such as school.example", host)
		}
	}
	return nil
}

func (a ACMEConfig) checkDirectory() error {
	u, err := url.Parse(a.Directory)
	if err != nil || u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("tls.acme.directory: %q must be an HTTPS URL, such as %s", a.Directory, LetsEncrypt)
	}
	return nil
}

// roots returns the certificates of the file Authority, or nil if there is none.
func (a ACMEConfig) roots() (*x509.CertPool, error) {
	if a.Authority == "" {
		return nil, nil
	}
	pem, err := os.ReadFile(a.Authority)
	if err != nil {
		return nil, within("tls.acme.authority", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("tls.acme.authority: %s contains no certificate", a.Authority)
	}
	return pool, nil
}
