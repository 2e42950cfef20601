package acme_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// program is the server program that TestMain builds.
var program string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "lyceum-acme-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program = filepath.Join(dir, "lyceum")
	build := exec.Command("go", "build", "-tags", "nomsgpack", "-o", program, "./cmd/lyceum")
	build.Dir = filepath.Join("..", "..", "..")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		panic(err)
	}
	return m.Run()
}

// server is a server process. cache is the folder of its certificates.
type server struct {
	port, plainPort, cache string
	process                *exec.Cmd
}

func newServer(t *testing.T) *server {
	t.Helper()
	return &server{port: freePort(t, "tcp"), plainPort: freePort(t, "tcp"), cache: filepath.Join(t.TempDir(), "acme")}
}

// start starts the process and waits until it listens.
func (s *server) start(t *testing.T, a *authority, plain bool) {
	t.Helper()
	plainAddr := ""
	if plain {
		plainAddr = net.JoinHostPort("127.0.0.1", s.plainPort)
	}
	s.process = exec.Command(program, "serve", "--addr", s.addr(), "--tls.mode=acme",
		"--tls.acme.hosts=school.example,www.school.example", "--tls.acme.cache="+s.cache,
		"--tls.acme.directory="+a.directory, "--tls.acme.authority="+a.file,
		"--tls.acme.http-addr="+plainAddr, "--log.level=warn")
	s.process.Stderr = os.Stderr
	if err := s.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.stop(t) })
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", s.addr())
		if err == nil {
			_ = conn.Close()
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

// stop stops the process, if it runs.
func (s *server) stop(t *testing.T) {
	t.Helper()
	if s.process == nil {
		return
	}
	_ = s.process.Process.Signal(syscall.SIGTERM)
	if err := s.process.Wait(); err != nil {
		t.Error("the server did not stop cleanly:", err)
	}
	s.process = nil
}

func (s *server) addr() string { return net.JoinHostPort("127.0.0.1", s.port) }

func (s *server) url(host, path string) string {
	return "https://" + net.JoinHostPort(host, s.port) + path
}

// client returns a client that trusts the authority and sends all requests to the server. name is
// the host that it requests in the TLS handshake.
func (s *server) client(a *authority, name string) *http.Client {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(a.root)
	return &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: name},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, s.addr())
		},
	}}
}

// certificate returns the serial number of the certificate that a client gets for a name; "" means
// a client that sends none.
func (s *server) certificate(t *testing.T, name string) string {
	t.Helper()
	// The server closes connections whose handshake takes too long, which happens while a
	// certificate is being issued.
	var conn net.Conn
	dialer := &tls.Dialer{Config: &tls.Config{ServerName: name, InsecureSkipVerify: true}}
	for deadline := time.Now().Add(time.Minute); conn == nil; time.Sleep(20 * time.Millisecond) {
		var err error
		if conn, err = dialer.DialContext(t.Context(), "tcp", s.addr()); err != nil && time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
	defer func() { _ = conn.Close() }()
	return conn.(*tls.Conn).ConnectionState().PeerCertificates[0].SerialNumber.String()
}
