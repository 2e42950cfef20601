package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
)

// tlsConfig returns the TLS configuration of the mode, or nil for plain HTTP. It sets s.fingerprint
// or s.acme.
func (s *Server) tlsConfig() (*tls.Config, error) {
	tc := &tls.Config{MinVersion: tls.VersionTLS12}
	switch s.cfg.Mode {
	case Files:
		p, err := newPair(s.cfg.CertFile, s.cfg.KeyFile, s.log)
		if err != nil {
			return nil, err
		}
		s.fingerprint, tc.GetCertificate = fingerprint(*p.current), p.certificate
	case SelfSigned:
		c, err := selfSigned(s.hosts())
		if err != nil {
			return nil, fmt.Errorf("tls.mode: cannot create the self-signed certificate: %w", err)
		}
		s.fingerprint, tc.Certificates = fingerprint(c), []tls.Certificate{c}
	case ACME:
		m, err := newManager(s.cfg.ACME)
		if err != nil {
			return nil, err
		}
		s.acme, tc = m, m.tlsConfig()
	default:
		return nil, nil
	}
	return tc, nil
}

// hosts returns the host names by which clients may address this server.
func (s *Server) hosts() []string {
	hosts := append([]string{"localhost", "127.0.0.1", "::1"}, s.cfg.Names...)
	if host, _, err := net.SplitHostPort(s.cfg.Addr); err == nil {
		hosts = append(hosts, host)
	}
	if name, err := os.Hostname(); err == nil {
		hosts = append(hosts, name)
	}
	return hosts
}

func (s *Server) listen(ctx context.Context) (net.Listener, error) {
	listener, err := listenOn(ctx, "addr", s.cfg.Addr)
	if err != nil {
		return nil, err
	}
	if s.cfg.Mode == Off && !ipOf(listener.Addr()).IsLoopback() {
		_ = listener.Close()
		return nil, exposed(s.cfg.Addr)
	}
	return listener, nil
}

// listenOn listens on addr. Its errors start with the name of the setting.
func listenOn(ctx context.Context, setting, addr string) (net.Listener, error) {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s: %s is already in use", setting, addr)
	}
	return listener, within(setting, err)
}

// host returns the host and the port for the server's URL. addr is the address of the listener.
func (s *Server) host(addr net.Addr) string {
	_, port, _ := net.SplitHostPort(addr.String())
	host := ipOf(addr).String()
	if s.acme != nil {
		host = s.acme.hosts[0]
		if port == "443" {
			return host
		}
		return net.JoinHostPort(host, port)
	}
	if ipOf(addr).IsUnspecified() {
		host = "localhost"
	}
	return net.JoinHostPort(host, port)
}

func ipOf(addr net.Addr) net.IP {
	if tcp, ok := addr.(*net.TCPAddr); ok {
		return tcp.IP
	}
	return nil
}
