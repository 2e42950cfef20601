package mail

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/mail"
	"time"

	gomail "github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"
	"lyceum/domain/invitation"
	"lyceum/domain/signin"
	"lyceum/ports"
)

// quitTimeout bounds the wait for the reply to QUIT. The reply does not matter, because the message
// has already been accepted.
const quitTimeout = time.Second

// Sender sends emails to a mail server, each over a new connection.
type Sender struct {
	cfg   Config
	from  mail.Address
	clock ports.Clock

	invitation, signIn messageTemplates
	texts              texts
}

// Names of the templates of emails, without extensions.
const (
	invitationTemplates = "invitation"
	signInTemplates     = "sign-in"
)

var (
	_ ports.InvitationSender = (*Sender)(nil)
	_ ports.SignInSender     = (*Sender)(nil)
)

// NewSender returns a Sender for cfg, whose mode must be SMTP. It returns an error if cfg is
// invalid.
func NewSender(cfg Config, clock ports.Clock) (*Sender, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	from, err := mail.ParseAddress(cfg.From)
	if err != nil {
		return nil, fmt.Errorf("mail.from: %w", err)
	}
	invitation, err := parseTemplates(cfg.Templates, cfg.Language, invitationTemplates)
	if err != nil {
		return nil, err
	}
	signIn, err := parseTemplates(cfg.Templates, cfg.Language, signInTemplates)
	return &Sender{cfg: cfg, from: *from, clock: clock, invitation: invitation, signIn: signIn, texts: catalog[cfg.Language]}, err
}

// Send implements ports.InvitationSender. It returns nil once the server has accepted the message,
// because an error after that would only cause a second delivery.
func (s *Sender) Send(ctx context.Context, l invitation.Message) error {
	to, err := recipient(l.To, l.Name)
	if err != nil {
		return err
	}
	return s.deliver(ctx, s.invitation, envelope{
		id: l.ID, to: to, school: l.School, subject: s.texts.subject,
		content: content{Link: s.cfg.Link(l.Token), End: s.texts.date(l.ExpiresAt.UTC())},
	})
}

// SendSignIn implements ports.SignInSender.
func (s *Sender) SendSignIn(ctx context.Context, l signin.Message) error {
	to, err := recipient(l.To, l.Name)
	if err != nil {
		return err
	}
	return s.deliver(ctx, s.signIn, envelope{
		id: l.ID, to: to, school: l.School, subject: s.texts.signIn,
		content: content{Link: s.cfg.SignInLink(l.Slug, l.Token), End: l.ExpiresAt.UTC().Format("15:04")},
	})
}

// deliver sends the email e with the templates t.
func (s *Sender) deliver(ctx context.Context, t messageTemplates, e envelope) error {
	msg, err := s.message(e, t, s.clock.Now())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
	defer cancel()
	err = s.send(ctx, msg, e.to.Address)
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("the mail server did not accept the message in time: %w", ctx.Err())
	}
	return err
}

// Check connects to the mail server, authenticates if a user name is configured, and disconnects
// without sending a message.
func (s *Sender) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
	defer cancel()
	return s.session(ctx, func(*smtp.Client) error { return nil })
}

// send sends the message over a new connection.
func (s *Sender) send(ctx context.Context, msg *gomail.Msg, to string) error {
	return s.session(ctx, func(c *smtp.Client) error { return sendTransaction(c, s.from.Address, to, msg) })
}

// session opens a connection, calls use and closes the connection, at the latest when ctx ends.
func (s *Sender) session(ctx context.Context, use func(*smtp.Client) error) error {
	var w conn
	defer w.cut()
	dial := func(dialing context.Context, network, address string) (net.Conn, error) {
		conn, err := w.dial(ctx, dialing, network, address)
		if err != nil || s.cfg.TLS != Implicit {
			return conn, err
		}
		secured := tls.Client(conn, s.tls())
		return secured, secured.HandshakeContext(dialing)
	}
	client, err := gomail.NewClient(s.cfg.Host, append(s.options(), gomail.WithDialContextFunc(dial))...)
	if err != nil {
		return temporaryError("prepare", err)
	}
	session, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return temporaryError("connect", err)
	}
	if err := use(session); err != nil {
		return err
	}
	if session.UpdateDeadline(quitTimeout) == nil {
		_ = session.Quit()
	}
	return nil
}

func (s *Sender) tls() *tls.Config {
	return &tls.Config{ServerName: s.cfg.Host, RootCAs: s.cfg.Roots, MinVersion: tls.VersionTLS12}
}

func (s *Sender) options() []gomail.Option {
	options := []gomail.Option{
		// The timeout of the library is longer than the timeout of ctx, so that ctx ends first.
		gomail.WithPort(s.cfg.Port), gomail.WithTimeout(s.cfg.Timeout + quitTimeout),
		gomail.WithTLSConfig(s.tls()),
		gomail.WithTLSPolicy(map[TLS]gomail.TLSPolicy{
			Mandatory: gomail.TLSMandatory, Opportunistic: gomail.TLSOpportunistic,
			Implicit: gomail.NoTLS, None: gomail.NoTLS,
		}[s.cfg.TLS]),
	}
	if s.cfg.HELO != "" {
		options = append(options, gomail.WithHELO(s.cfg.HELO))
	}
	if s.cfg.Username != "" {
		// Authentication mechanisms that send the password refuse to do so in plain text.
		options = append(options, gomail.WithUsername(s.cfg.Username), gomail.WithPassword(s.cfg.Password),
			gomail.WithOpportunisticSMTPAuth(gomail.SMTPAuthSCRAMSHA256, gomail.SMTPAuthPlain, gomail.SMTPAuthLogin))
	}
	return options
}
