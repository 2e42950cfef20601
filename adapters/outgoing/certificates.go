package outgoing

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
)

const (
	// maxCertificates is the maximum number of certificates that a server sends.
	maxCertificates = 6
	// maxRSABits and maxRSAExponent limit the RSA keys of certificates. Verifying a signature of
	// the longest keys that Go accepts, with a large exponent, takes 5 ms of a processor.
	maxRSABits     = 4096
	maxRSAExponent = 1<<16 + 1
	// maxECBits is the maximum size of the keys on elliptic curves.
	maxECBits = 384
	// maxComparisons is the maximum product of the numbers of names and of constraints on names.
	maxComparisons = 10_000
)

// ErrCertificates means that verifying the certificates of a server could take too much processor
// time.
var ErrCertificates = errors.New("outgoing: the certificates of the server are too expensive to verify")

// tlsConfig returns the configuration of a TLS connection to a host. It verifies the certificates of
// the server, like the default one, but refuses those that could take long: the default one verifies
// up to a hundred signatures of certificates that the server chooses.
func tlsConfig(host string, roots *x509.CertPool) *tls.Config {
	return &tls.Config{
		ServerName: host,
		MinVersion: tls.VersionTLS12,
		// The key exchange with the curve P-521 takes several milliseconds.
		CurvePreferences:   []tls.CurveID{tls.X25519MLKEM768, tls.X25519, tls.CurveP256, tls.CurveP384},
		InsecureSkipVerify: true, // VerifyConnection verifies
		VerifyConnection: func(s tls.ConnectionState) error {
			return verify(s.PeerCertificates, host, roots)
		},
	}
}

// verify verifies the certificates of a host as package tls does, after it has checked that this
// does not take long. The name in tls.ConnectionState would be blank for an IP address.
func verify(sent []*x509.Certificate, host string, roots *x509.CertPool) error {
	sent = distinct(sent)
	if err := checkCertificates(sent); err != nil {
		return err
	}
	options := x509.VerifyOptions{Roots: roots, DNSName: host, Intermediates: x509.NewCertPool()}
	for _, c := range sent[1:] {
		options.Intermediates.AddCert(c)
	}
	if _, err := sent[0].Verify(options); err != nil {
		return &tls.CertificateVerificationError{UnverifiedCertificates: sent, Err: err}
	}
	return nil
}

// distinct returns the certificates without repetitions, which some servers send by mistake.
func distinct(sent []*x509.Certificate) (all []*x509.Certificate) {
	for _, c := range sent {
		if !slices.ContainsFunc(all, c.Equal) {
			all = append(all, c)
		}
	}
	return all
}

// checkCertificates returns ErrCertificates for certificates that could take long to verify. As each
// has its own name, there is one chain at most.
func checkCertificates(sent []*x509.Certificate) error {
	if len(sent) > maxCertificates {
		return fmt.Errorf("%w: there are %d (maximum is %d)", ErrCertificates, len(sent), maxCertificates)
	}
	// The errors contain no names, which could take long to format.
	names := map[string]bool{}
	hosts, constraints := 0, 0
	for _, c := range sent {
		hosts += len(c.DNSNames) + len(c.EmailAddresses) + len(c.IPAddresses) + len(c.URIs)
		constraints += len(c.PermittedDNSDomains) + len(c.ExcludedDNSDomains) + len(c.PermittedIPRanges) + len(c.ExcludedIPRanges) +
			len(c.PermittedEmailAddresses) + len(c.ExcludedEmailAddresses) + len(c.PermittedURIDomains) + len(c.ExcludedURIDomains)
		if names[string(c.RawSubject)] {
			return fmt.Errorf("%w: two have the same name", ErrCertificates)
		}
		names[string(c.RawSubject)] = true
		if !short(c.PublicKey) {
			return fmt.Errorf("%w: the key of one is too long or of an unknown kind", ErrCertificates)
		}
	}
	if hosts*constraints > maxComparisons {
		return fmt.Errorf("%w: they have %d names and %d constraints", ErrCertificates, hosts, constraints)
	}
	return nil
}

// short reports whether verifying a signature with a key is fast.
func short(key any) bool {
	switch k := key.(type) {
	case *rsa.PublicKey:
		return k.N.BitLen() <= maxRSABits && k.E <= maxRSAExponent
	case *ecdsa.PublicKey:
		return k.Curve.Params().BitSize <= maxECBits
	case ed25519.PublicKey:
		return true
	}
	return false
}
