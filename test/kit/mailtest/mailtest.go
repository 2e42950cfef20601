// Package mailtest gives tests a mail server of their own: a real one that
// listens on this machine, keeps what it accepts, and refuses, waits and breaks
// down as a test wants.
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

// Config is how a server behaves. The zero Config accepts everything.
type Config struct {
	Addr               string      // host:port to listen on; blank: any free port of 127.0.0.1
	TLS                *tls.Config // nil: there is no TLS
	Implicit           bool        // TLS from the first byte instead of STARTTLS
	Username, Password string      // whom alone it lets send; blank: everybody
	UTF8               bool        // it takes addresses beyond ASCII

	// These are asked before the server accepts; an *smtp.SMTPError is its reply.
	// Content has to read the message when it accepts it.
	Sender    func(from string) error
	Recipient func(to string) error
	Content   func(conn net.Conn, message io.Reader) error
}

// Server is a running server.
type Server struct {
	Host string
	Port int

	cfg      Config
	listener net.Listener
	smtp     *smtp.Server
	mu       sync.Mutex
	accepted []Message
	arrived  chan struct{} // gets a value, if there is room, when a message was accepted
}

// Start returns a server that runs until it is stopped or the test ends.
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
	s.smtp.AllowInsecureAuth = true // the client has to be careful, and is tested for it
	if cfg.Implicit {
		listener = tls.NewListener(listener, cfg.TLS)
	} else {
		s.smtp.TLSConfig = cfg.TLS
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = s.smtp.Serve(listener) // it ends when the server is stopped
	}()
	t.Cleanup(func() {
		s.Stop()
		<-served
	})
	return s
}

// Stop ends the server and all its connections.
func (s *Server) Stop() {
	_ = s.smtp.Close()
	_ = s.listener.Close() // it may be that nothing has been served yet
}

// Addr returns the address that the server listens on, for another one after it.
func (s *Server) Addr() string { return net.JoinHostPort(s.Host, strconv.Itoa(s.Port)) }

// Arrived returns a channel that gets a value for each message that was accepted.
func (s *Server) Arrived() <-chan struct{} { return s.arrived }

// Accepted returns the messages that were accepted, in their order.
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
