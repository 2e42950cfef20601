package transport_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/transport"
)

func TestOffMode(t *testing.T) {
	is := is.New(t)
	s := verdict(t, local())
	is.Equal(s.Fingerprint(), "")
	is.True(strings.HasPrefix(s.URL(), "http://127.0.0.1:"))
	got, err := get(t.Context(), s.URL(), nil, nil)
	is.NoErr(err)
	is.Equal(got.status, http.StatusOK)
	is.Equal(got.over, "http")
	got, err = get(t.Context(), s.URL(), nil, http.Header{"X-Forwarded-For": {"192.0.2.7"}})
	is.NoErr(err)
	is.Equal(got.status, http.StatusForbidden)
}

func TestInsecureMode(t *testing.T) {
	is := is.New(t)
	cfg := local()
	cfg.Addr, cfg.Mode = ":0", transport.Insecure
	s := verdict(t, cfg)
	is.True(strings.HasPrefix(s.URL(), "http://localhost:")) // the wildcard address is shown as localhost
	got, err := get(t.Context(), s.URL(), nil, http.Header{"X-Forwarded-For": {"192.0.2.7"}})
	is.NoErr(err)
	is.Equal(got.status, http.StatusOK)
	is.Equal(got.over, "http")
}

func TestProxyMode(t *testing.T) {
	is := is.New(t)
	cfg := local()
	cfg.Mode, cfg.Proxies = transport.Proxy, []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	s := verdict(t, cfg)
	got, err := get(t.Context(), s.URL(), nil, http.Header{"X-Forwarded-Proto": {"https"}})
	is.NoErr(err)
	is.Equal(got.status, http.StatusOK)
	is.Equal(got.over, "https")
	got, err = get(t.Context(), s.URL(), nil, nil)
	is.NoErr(err)
	is.Equal(got.status, http.StatusForbidden)
}

func TestSelfSigned(t *testing.T) {
	is := is.New(t)
	cfg := local()
	cfg.Mode, cfg.Names = transport.SelfSigned, []string{"school.example", "192.0.2.7"}
	s := verdict(t, cfg)
	is.True(strings.HasPrefix(s.URL(), "https://127.0.0.1:"))
	got, err := get(t.Context(), s.URL(), nil, nil)
	is.NoErr(err)
	is.Equal(got.status, http.StatusOK)
	is.Equal(got.over, "https")
	is.Equal(got.proto, 2) // HTTP/2 is the default

	shown := got.tls.PeerCertificates[0]
	is.Equal(s.Fingerprint(), printOf(shown))
	trusted := x509.NewCertPool()
	trusted.AddCert(shown)
	for _, name := range []string{"localhost", "127.0.0.1", "::1", "school.example", "192.0.2.7"} {
		_, err := get(t.Context(), s.URL(), &tls.Config{RootCAs: trusted, ServerName: name}, nil)
		is.NoErr(err) // the certificate is valid for this name
	}
	_, err = get(t.Context(), s.URL(), &tls.Config{RootCAs: trusted, ServerName: "other.example"}, nil)
	is.True(err != nil) // it is not valid for another name
	_, err = get(t.Context(), s.URL(), &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS11}, nil)
	is.True(err != nil) // TLS 1.1 is refused

	got, err = get(t.Context(), strings.Replace(s.URL(), "https:", "http:", 1), nil, nil)
	is.NoErr(err)
	is.Equal(got.status, http.StatusBadRequest) // the response of net/http
	is.Equal(got.over, "")

	other := verdict(t, cfg)
	is.True(other.Fingerprint() != s.Fingerprint()) // a new certificate at each start
}

func TestChangedCertificateIsReloaded(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	cfg := local()
	cfg.Mode = transport.Files
	cfg.CertFile, cfg.KeyFile = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	first, second := newPair(t), newPair(t)
	first.write(t, cfg)
	var log logBuffer
	s := serve(t, cfg, log.log(), func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "served") })
	shows := func() string {
		t.Helper()
		got, err := get(t.Context(), s.URL(), nil, nil)
		is.NoErr(err)
		is.Equal(got.body, "served")
		return printOf(got.tls.PeerCertificates[0])
	}
	is.Equal(s.Fingerprint(), printOf(first.certificate))
	is.Equal(shows(), printOf(first.certificate))

	is.NoErr(os.WriteFile(cfg.CertFile, second.cert, 0o600)) // half of the new pair
	is.Equal(shows(), printOf(first.certificate))
	is.Equal(shows(), printOf(first.certificate))
	is.Equal(strings.Count(log.String(), "cannot load changed certificate"), 1) // logged once, not at each handshake

	is.NoErr(os.WriteFile(cfg.KeyFile, second.key, 0o600)) // the other half of the new pair
	is.Equal(shows(), printOf(second.certificate))
	is.True(strings.Contains(log.String(), printOf(second.certificate)))

	is.NoErr(os.Remove(cfg.KeyFile))
	is.Equal(shows(), printOf(second.certificate)) // the files are deleted, but the certificate is still in use
	first.write(t, cfg)
	is.Equal(shows(), printOf(first.certificate))
	is.True(!strings.Contains(log.String(), "PRIVATE")) // no key in the log
}

// Changed files are reloaded even if their times and sizes stay the same, as with deployments that
// set all times to a fixed value.
func TestChangeThatKeepsTimesAndSizesIsNoticed(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	cfg := local()
	cfg.Mode = transport.Files
	cfg.CertFile, cfg.KeyFile = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	write := func(p pemPair) {
		for name, text := range map[string][]byte{cfg.CertFile: p.cert, cfg.KeyFile: p.key} {
			padding := bytes.Repeat([]byte("\n"), 4096-len(text))
			is.NoErr(os.WriteFile(name, append(slices.Clone(text), padding...), 0o600))
			is.NoErr(os.Chtimes(name, time.Unix(1, 0), time.Unix(1, 0)))
		}
	}
	first, second := newPair(t), newPair(t)
	write(first)
	s := serve(t, cfg, slog.New(slog.DiscardHandler), http.NotFound)
	write(second)
	got, err := get(t.Context(), s.URL(), nil, nil)
	is.NoErr(err)
	is.Equal(printOf(got.tls.PeerCertificates[0]), printOf(second.certificate))
}

func TestStartFailsIfCertificateIsInvalid(t *testing.T) {
	dir := t.TempDir()
	good, other := newPair(t), newPair(t)
	file := func(name string, text []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	cert, key := file("cert", good.cert), file("key", good.key)
	tests := []struct{ name, cert, key, says string }{
		{"no certificate", filepath.Join(dir, "none"), key, "tls.cert: "},
		{"no key", cert, filepath.Join(dir, "none"), "tls.key: "},
		{"no PEM", file("text", []byte("hello")), key, "tls.cert, tls.key: "},
		{"another pair's key", cert, file("other", other.key), "tls.cert, tls.key: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			cfg := local()
			cfg.Mode, cfg.CertFile, cfg.KeyFile = transport.Files, tt.cert, tt.key
			s := create(t, cfg, nil)
			err := s.Start(t.Context(), func(string) (http.Handler, error) { return http.NotFoundHandler(), nil })
			is.True(err != nil)
			is.True(strings.HasPrefix(err.Error(), tt.says)) // the error names the setting
			is.NoErr(s.Stop(t.Context()))                    // nothing to stop
		})
	}
}

func printOf(c *x509.Certificate) string {
	sum := sha256.Sum256(c.Raw)
	digits := strings.ToUpper(hex.EncodeToString(sum[:]))
	var parts []string
	for i := 0; i < len(digits); i += 2 {
		parts = append(parts, digits[i:i+2])
	}
	return strings.Join(parts, ":")
}

// pemPair is a certificate and its key in PEM.
type pemPair struct {
	certificate *x509.Certificate
	cert, key   []byte
}

func newPair(t *testing.T) pemPair {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return pemPair{
		certificate: leaf,
		cert:        pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		key:         pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER}),
	}
}

func (p pemPair) write(t *testing.T, cfg transport.Config) {
	t.Helper()
	for name, text := range map[string][]byte{cfg.CertFile: p.cert, cfg.KeyFile: p.key} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
