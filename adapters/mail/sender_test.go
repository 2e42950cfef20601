package mail_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/matryer/is"
	"lyceum/adapters/mail"
	"lyceum/domain/fault"
	"lyceum/test/kit/mailtest"
)

// reply returns the reply of a server with a code and, if three numbers are given, an enhanced
// code.
func reply(code int, text string, enhanced ...int) error {
	e := &smtp.SMTPError{Code: code, Message: text, EnhancedCode: smtp.NoEnhancedCode}
	if len(enhanced) == 3 {
		e.EnhancedCode = smtp.EnhancedCode(enhanced)
	}
	return e
}

// Permanent rejections are not retried. Temporary rejections, and rejections of the sender, are
// retried.
func TestRefusals(t *testing.T) {
	tests := []struct {
		name                       string
		sender, recipient, content error
		final                      bool
	}{
		{name: "no such mailbox", recipient: reply(550, "no such user here", 5, 1, 1), final: true},
		{name: "no such mailbox, in the old way", recipient: reply(550, "no such user here"), final: true},
		{name: "no such domain", recipient: reply(550, "unknown domain", 5, 1, 2), final: true},
		{name: "a domain that takes no mail", recipient: reply(556, "no mail", 5, 1, 10), final: true},
		{name: "a domain that takes no mail, in the old way", recipient: reply(556, "no mail"), final: true},
		{name: "a mailbox that is closed", recipient: reply(550, "disabled", 5, 2, 1), final: true},
		{name: "a mailbox that is full", recipient: reply(552, "full", 5, 2, 2)},
		{name: "not now", recipient: reply(451, "greylisted", 4, 7, 1)},
		{name: "not now, in the old way", recipient: reply(450, "busy")},
		{name: "a temporary code that speaks of addresses", recipient: reply(450, "cannot look it up", 4, 1, 1)},
		{name: "we may not relay", recipient: reply(550, "relaying denied", 5, 7, 1)},
		{name: "we are blocked", recipient: reply(554, "client host blocked")},
		{name: "we should have signed in", recipient: reply(530, "authentication required", 5, 7, 0)},
		{name: "we may not send as ourselves", sender: reply(550, "sender rejected", 5, 1, 8)},
		{name: "the sender, in the old way", sender: reply(550, "sender rejected")},
		{name: "the sender is rejected at the recipient", recipient: reply(550, "bad sender", 5, 1, 8)},
		{name: "the server is broken", recipient: reply(554, "no route", 5, 4, 4)},
		{name: "the content", content: reply(550, "cannot be converted", 5, 6, 3), final: true},
		{name: "the content, in the old way", content: reply(554, "refused"), final: true},
		{name: "the content, because of us", content: reply(550, "looks like spam", 5, 7, 1)},
		{name: "the content, now", content: reply(452, "out of space", 4, 3, 1)},
		{name: "a code that says nothing", recipient: reply(550, "no", 5, 0, 0), final: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := mailtest.Start(t, mailtest.Config{
				Sender:    func(string) error { return tt.sender },
				Recipient: func(string) error { return tt.recipient },
				Content:   func(net.Conn, io.Reader) error { return tt.content },
			})
			err := sender(t, to(s)).Send(t.Context(), message)
			is.True(err != nil)
			is.Equal(fault.Is(err, fault.Invalid), tt.final)
			var said *smtp.SMTPError
			is.True(errors.As(errors.Join(tt.sender, tt.recipient, tt.content), &said))
			is.True(strings.Contains(err.Error(), said.Message)) // the operator sees the reply
			is.Equal(len(s.Accepted()), 0)
		})
	}
}

func TestServerReplyIsTruncated(t *testing.T) {
	is := is.New(t)
	s := mailtest.Start(t, mailtest.Config{Recipient: func(string) error {
		return reply(550, "no\x1bsuch\xffuser "+strings.Repeat("x", 1000), 5, 1, 1)
	}})
	err := sender(t, to(s)).Send(t.Context(), message)
	is.True(strings.HasPrefix(err.Error(), "invalid: email: was rejected by the mail server: 550 5.1.1 no such\uFFFDuser x"))
	is.True(len(err.Error()) < 400)
}

// A reply that no retry policy knows can contain an address anywhere. The error does not repeat it.
func TestUnexpectedReply(t *testing.T) {
	for _, code := range []int{299, 699, 57, 5500} { // the last two have no three digits
		is := is.New(t)
		s := mailtest.Start(t, mailtest.Config{Recipient: func(string) error { return reply(code, "user ada@example.test", 0, 0, 0) }})
		err := sender(t, to(s)).Send(t.Context(), message)
		is.True(err != nil)
		is.True(!fault.Is(err, fault.Invalid))
		is.True(!strings.Contains(err.Error(), "ada@"))
	}
}

func TestServerWithoutSMTPUTF8(t *testing.T) {
	is := is.New(t)
	s := mailtest.Start(t, mailtest.Config{})
	l := message
	l.To = "jörg@example.test"
	err := sender(t, to(s)).Send(t.Context(), l)
	is.True(fault.Is(err, fault.Invalid))
	is.Equal(len(s.Accepted()), 0)
}

func TestNoServer(t *testing.T) {
	is := is.New(t)
	s := mailtest.Start(t, mailtest.Config{})
	s.Stop()
	err := sender(t, to(s)).Send(t.Context(), message)
	is.True(err != nil)
	is.True(!fault.Is(err, fault.Invalid))
	is.True(strings.Contains(err.Error(), "connection refused"))
}

// Send gives up on a server that does not answer when the timeout is over.
func TestTimeout(t *testing.T) {
	ever := make(chan struct{})
	defer close(ever)
	hang := mailtest.Config{Content: func(net.Conn, io.Reader) error { <-ever; return nil }}
	mute, err := net.Listen("tcp", "127.0.0.1:0") // the server does not even send a greeting
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = mute.Close() }()
	tests := map[string]struct {
		edit func(*mail.Config)
		ctx  func(context.Context) (context.Context, context.CancelFunc)
		want error
	}{
		"the caller's": {
			func(*mail.Config) {},
			func(ctx context.Context) (context.Context, context.CancelFunc) {
				return context.WithTimeout(ctx, 20*time.Millisecond)
			}, context.DeadlineExceeded,
		},
		"the setting's": {
			func(c *mail.Config) { c.Timeout = 20 * time.Millisecond }, context.WithCancel, context.DeadlineExceeded,
		},
		"the setting's, before the greeting": {
			func(c *mail.Config) { c.Timeout, c.Port = 20*time.Millisecond, mute.Addr().(*net.TCPAddr).Port },
			context.WithCancel, context.DeadlineExceeded,
		},
		"the setting's, before the handshake": {
			func(c *mail.Config) {
				c.Timeout, c.Port, c.TLS = 20*time.Millisecond, mute.Addr().(*net.TCPAddr).Port, mail.Implicit
			},
			context.WithCancel, context.DeadlineExceeded,
		},
		"the caller is gone": {
			func(*mail.Config) {},
			func(ctx context.Context) (context.Context, context.CancelFunc) {
				ctx, cancel := context.WithCancel(ctx)
				time.AfterFunc(20*time.Millisecond, cancel)
				return ctx, cancel
			}, context.Canceled,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			s := mailtest.Start(t, hang)
			cfg := to(s)
			tt.edit(&cfg)
			ctx, cancel := tt.ctx(t.Context())
			defer cancel()
			err := sender(t, cfg).Send(ctx, message)
			is.True(errors.Is(err, tt.want))
			is.True(!fault.Is(err, fault.Invalid))
		})
	}
}

func TestConnectionLostDuringMessage(t *testing.T) {
	is := is.New(t)
	s := mailtest.Start(t, mailtest.Config{Content: func(conn net.Conn, r io.Reader) error {
		_, _ = io.ReadFull(r, make([]byte, 40))
		return errors.Join(io.ErrUnexpectedEOF, conn.Close())
	}})
	err := sender(t, to(s)).Send(t.Context(), message)
	is.True(err != nil)
	is.True(!fault.Is(err, fault.Invalid)) // the delivery is retried
	is.Equal(len(s.Accepted()), 0)
}

// Once the server has accepted the message, no failure causes a second delivery.
func TestConnectionLostAfterMessage(t *testing.T) {
	is := is.New(t)
	// The server does not reply to QUIT.
	host := dumb(t, "220 hello", "250 hello", "250 ok", "250 ok", "354 go on", "250 accepted")
	cfg := to(&mailtest.Server{Host: "127.0.0.1", Port: host})
	is.NoErr(sender(t, cfg).Send(t.Context(), message))
}

// dumb starts a server that writes its lines one after another, whatever it receives, and then
// disconnects. It returns the port of the server.
func dumb(t *testing.T, lines ...string) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		heard := make([]byte, 64<<10)
		for i, line := range lines {
			for text := ""; i > 0 && !strings.HasSuffix(text, "\r\n") || i == 5 && !strings.HasSuffix(text, "\r\n.\r\n"); {
				n, err := conn.Read(heard)
				if err != nil {
					return
				}
				text += string(heard[:n])
			}
			_, _ = io.WriteString(conn, line+"\r\n")
		}
	}()
	t.Cleanup(func() {
		_ = listener.Close()
		<-over
	})
	return listener.Addr().(*net.TCPAddr).Port
}

func TestEncryption(t *testing.T) {
	pair, roots := mailtest.Certificate()
	tests := []struct {
		name    string
		server  mailtest.Config
		tls     mail.TLS
		strange bool // the client does not trust the authority that signed the certificate
		arrives bool
	}{
		{"mandatory and offered", mailtest.Config{TLS: pair}, mail.Mandatory, false, true},
		{"mandatory and not offered", mailtest.Config{}, mail.Mandatory, false, false},
		{"mandatory, from a stranger", mailtest.Config{TLS: pair}, mail.Mandatory, true, false},
		{"opportunistic and offered", mailtest.Config{TLS: pair}, mail.Opportunistic, false, true},
		{"opportunistic and not offered", mailtest.Config{}, mail.Opportunistic, false, true},
		{"implicit", mailtest.Config{TLS: pair, Implicit: true}, mail.Implicit, false, true},
		{"implicit, from a stranger", mailtest.Config{TLS: pair, Implicit: true}, mail.Implicit, true, false},
		{"implicit where it is not", mailtest.Config{}, mail.Implicit, false, false},
		{"none", mailtest.Config{TLS: pair}, mail.None, true, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			encrypted := false
			tt.server.Content = func(conn net.Conn, _ io.Reader) error {
				_, encrypted = conn.(*tls.Conn)
				return nil
			}
			s := mailtest.Start(t, tt.server)
			cfg := to(s)
			cfg.TLS = tt.tls
			if !tt.strange {
				cfg.Roots = roots
			}
			err := sender(t, cfg).Send(t.Context(), message)
			is.Equal(err == nil, tt.arrives)
			is.Equal(len(s.Accepted()) == 1, tt.arrives)
			// The error is temporary, because an operator can fix the cause.
			is.True(!fault.Is(err, fault.Invalid))
			is.Equal(encrypted, tt.arrives && tt.server.TLS != nil && tt.tls != mail.None)
		})
	}
}

func TestAuthentication(t *testing.T) {
	pair, roots := mailtest.Certificate()
	tests := []struct {
		name               string
		username, password string
		tls                mail.TLS
		implicit           bool
		arrives            bool
	}{
		{"with permission", "ada", "secret", mail.Mandatory, false, true},
		{"over implicit TLS", "ada", "secret", mail.Implicit, true, true},
		{"with a wrong password", "ada", "hunter2", mail.Mandatory, false, false},
		{"not at all", "", "", mail.Mandatory, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := mailtest.Start(t, mailtest.Config{Username: "ada", Password: "secret", TLS: pair, Implicit: tt.implicit})
			cfg := to(s)
			cfg.Username, cfg.Password, cfg.TLS, cfg.Roots = tt.username, tt.password, tt.tls, roots
			err := sender(t, cfg).Send(t.Context(), message)
			is.Equal(err == nil, tt.arrives)
			is.Equal(len(s.Accepted()) == 1, tt.arrives)
			is.True(!fault.Is(err, fault.Invalid)) // the error is temporary, so no message is lost
			is.True(err == nil || !strings.Contains(err.Error(), "hunter2"))
		})
	}
}
