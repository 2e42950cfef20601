package mailtest

import (
	"bytes"
	"io"
	"net"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// session is one connection to the server.
type session struct {
	server *Server
	conn   net.Conn
	known  bool
	m      Message
}

var _ smtp.AuthSession = (*session)(nil)

func (s *Server) session(c *smtp.Conn) (smtp.Session, error) {
	return &session{server: s, conn: c.Conn(), known: s.cfg.Username == ""}, nil
}

// AuthMechanisms implements smtp.AuthSession.
func (s *session) AuthMechanisms() []string {
	if s.server.cfg.Username == "" {
		return nil
	}
	return []string{sasl.Plain}
}

// Auth implements smtp.AuthSession.
func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, username, password string) error {
		if username != s.server.cfg.Username || password != s.server.cfg.Password {
			return smtp.ErrAuthFailed
		}
		s.known = true
		return nil
	}), nil
}

// Mail implements smtp.Session.
func (s *session) Mail(from string, options *smtp.MailOptions) error {
	if !s.known {
		return smtp.ErrAuthRequired
	}
	s.m = Message{From: from, UTF8: options.UTF8}
	if s.server.cfg.Sender != nil {
		return s.server.cfg.Sender(from)
	}
	return nil
}

// Rcpt implements smtp.Session.
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.m.To = append(s.m.To, to)
	if s.server.cfg.Recipient != nil {
		return s.server.cfg.Recipient(to)
	}
	return nil
}

// Data implements smtp.Session.
func (s *session) Data(r io.Reader) error {
	var raw bytes.Buffer
	r = io.TeeReader(r, &raw)
	if s.server.cfg.Content != nil {
		if err := s.server.cfg.Content(s.conn, r); err != nil {
			return err
		}
	}
	if _, err := io.Copy(io.Discard, r); err != nil {
		return err
	}
	s.m.Raw = raw.Bytes()
	s.server.accept(s.m)
	return nil
}

// Reset implements smtp.Session.
func (s *session) Reset() {}

// Logout implements smtp.Session.
func (s *session) Logout() error { return nil }
