package transport

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"net"
	"strings"
	"time"
)

// A new certificate is generated at each start, so it only has to outlive the process. It is also
// valid for clients whose clocks are slightly wrong.
const (
	selfSignedLife = 365 * 24 * time.Hour
	clockTolerance = time.Hour
)

// selfSigned returns a new self-signed certificate for hosts, which are names or IP
// addresses.
func selfSigned(hosts []string) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return tls.Certificate{}, err
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber:          serial,
		Subject:               pkix.Name{CommonName: "Lyceum, self-signed"},
		NotBefore:             now.Add(-clockTolerance),
		NotAfter:              now.Add(selfSignedLife),
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
		IsCA:                  true, // clients can add it to their trusted certificates
	}
	for _, host := range hosts {
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else if host != "" {
			template.DNSNames = append(template.DNSNames, host)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, err
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, nil
}

// fingerprint returns the SHA-256 of the server's certificate in the notation of browsers
// and openssl: AB:CD:….
func fingerprint(c tls.Certificate) string {
	sum := sha256.Sum256(c.Certificate[0])
	digits := make([]string, len(sum))
	for i, b := range sum {
		digits[i] = fmt.Sprintf("%02X", b)
	}
	return strings.Join(digits, ":")
}
