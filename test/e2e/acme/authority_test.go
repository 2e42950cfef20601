package acme_test

import (
	"encoding/pem"
	"io"
	"log"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/letsencrypt/challtestsrv"
	"github.com/letsencrypt/pebble/v2/ca"
	"github.com/letsencrypt/pebble/v2/db"
	"github.com/letsencrypt/pebble/v2/va"
	"github.com/letsencrypt/pebble/v2/wfe"
)

// authority is a certificate authority. Its DNS server resolves every host name to 127.0.0.1.
type authority struct {
	*httptest.Server
	directory string // URL
	file      string // PEM file with the certificate of the ACME directory
	root      []byte // PEM of the root of the issued certificates
}

// newAuthority starts an authority that checks HTTP-01 and TLS-ALPN-01 challenges on the given
// ports.
func newAuthority(t *testing.T, httpPort, tlsPort int) *authority {
	t.Helper()
	t.Setenv("PEBBLE_VA_NOSLEEP", "1")
	dns := net.JoinHostPort("127.0.0.1", freePort(t, "udp"))
	names, err := challtestsrv.New(challtestsrv.Config{DNSAddrs: []string{dns}, Log: log.New(io.Discard, "", 0)})
	if err != nil {
		t.Fatal(err)
	}
	names.SetDefaultDNSIPv6("")
	go names.Run()
	t.Cleanup(names.Shutdown)

	discard := log.New(io.Discard, "", 0)
	store := db.NewMemoryStore()
	issuer := ca.New(discard, store, "", "ecdsa", 0, 1, map[string]ca.Profile{"default": {}})
	front := wfe.New(discard, store, va.New(discard, httpPort, tlsPort, true, dns, store), issuer,
		[]string{"pebble.test"}, true, false, 1, 1)
	a := &authority{
		Server: httptest.NewTLSServer(front.Handler()), file: filepath.Join(t.TempDir(), "authority.pem"),
		root: issuer.GetRootCert(0).PEM(),
	}
	t.Cleanup(a.Close)
	a.directory = a.URL + wfe.DirectoryPath
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.Certificate().Raw})
	if err := os.WriteFile(a.file, block, 0o600); err != nil {
		t.Fatal(err)
	}
	return a
}

// freePort returns a port of this machine that nothing listens on.
func freePort(t *testing.T, network string) string {
	t.Helper()
	var addr string
	if strings.HasPrefix(network, "udp") {
		l, err := net.ListenPacket(network, "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		addr = l.LocalAddr().String()
		_ = l.Close()
	} else {
		l, err := net.Listen(network, "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		addr = l.Addr().String()
		_ = l.Close()
	}
	_, port, _ := net.SplitHostPort(addr)
	return port
}
