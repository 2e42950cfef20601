// Package mailtest runs a real SMTP server for tests. The server listens on 127.0.0.1 and records
// the messages that it accepts. It can be configured to reject messages, to delay them and to fail.
package mailtest

import (
	"crypto/tls"
	"io"
	"log"
	"net"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"
)

// Config configures a server. The zero Config requires neither TLS nor credentials and accepts
// every message that does not need SMTPUTF8.
type Config struct {
	Addr               string      // host:port to listen on; blank: any free port of 127.0.0.1
	TLS                *tls.Config // nil: no TLS
	Implicit           bool        // whether to use TLS from the first byte instead of STARTTLS
	Username, Password string      // required credentials; blank: none
	UTF8               bool        // whether to offer SMTPUTF8

	// The server calls these functions before it accepts the sender, the recipient and the content.
	// If a function returns an *smtp.SMTPError, the server sends it as its reply. Content need not
	// read the whole message.
	Sender    func(from string) error
	Recipient func(to string) error
	Content   func(conn net.Conn, message io.Reader) error
}

// Server is a running SMTP server.
type Server struct {
	Host string
	Port int

	cfg      Config
	listener net.Listener
	smtp     *smtp.Server
	mu       sync.Mutex
	accepted []Message
	arrived  chan struct{} // receives a value, if there is room, after a message was accepted
}

// Start returns a server that runs until Stop or the end of the test.
func Start(t testing.TB, cfg Config) *Server {
	t.Helper()
	if cfg.Addr == "" {
		cfg.Addr = "127.0.0.1:0"
	}
	listener, err := net.Listen("tcp", cfg.Addr)
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{cfg: cfg, listener: listener, arrived: make(chan struct{}, 1000)}
	host, port, _ := net.SplitHostPort(listener.Addr().String())
	s.Host = host
	s.Port, _ = strconv.Atoi(port)
	s.smtp = smtp.NewServer(smtp.BackendFunc(s.session))
	s.smtp.Domain, s.smtp.ErrorLog = "mail.example.test", log.New(io.Discard, "", 0)
	s.smtp.EnableSMTPUTF8 = cfg.UTF8
	s.smtp.AllowInsecureAuth = true // tests check that the client itself refuses to send credentials without TLS
	if cfg.Implicit {
		listener = tls.NewListener(listener, cfg.TLS)
	} else {
		s.smtp.TLSConfig = cfg.TLS
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = s.smtp.Serve(listener) // returns an error when the server is stopped
	}()
	t.Cleanup(func() {
		s.Stop()
		<-served
	})
	return s
}

// Stop stops the server and closes all connections.
func (s *Server) Stop() {
	_ = s.smtp.Close()
	_ = s.listener.Close() // Serve may not have started yet
}

// Addr returns the address of the server, on which a later server can listen again.
func (s *Server) Addr() string { return net.JoinHostPort(s.Host, strconv.Itoa(s.Port)) }

// Arrived returns a channel that receives a value for each accepted message.
func (s *Server) Arrived() <-chan struct{} { return s.arrived }

// Accepted returns the accepted messages in order of arrival.
func (s *Server) Accepted() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.accepted)
}

func (s *Server) accept(m Message) {
	s.mu.Lock()
	s.accepted = append(s.accepted, m)
	s.mu.Unlock()
	select {
	case s.arrived <- struct{}{}:
	default:
	}
}
