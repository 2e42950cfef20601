package mail_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"go.uber.org/goleak"
	"lyceum/adapters/mail"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/mailtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// message is the message that tests send.
var message = invitation.Message{
	ID:     job.ID{UUID: uuid.MustParse("018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d10")},
	School: "Acme", To: "ada@example.test", Name: "Ada Lovelace", Token: "5eed", ExpiresAt: time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC),
}

// to returns a configuration for sending to the server s.
func to(s *mailtest.Server) mail.Config {
	cfg := mail.Defaults()
	cfg.Mode, cfg.From, cfg.TLS = mail.SMTP, "no-reply@school.example", mail.None
	cfg.Host, cfg.Port, cfg.HELO = s.Host, s.Port, "lyceum.example.test"
	cfg.Link = func(token string) string { return "https://api.example.test/invitations/" + token }
	return cfg
}

// sender returns a Sender whose clock does not advance.
func sender(t *testing.T, cfg mail.Config) *mail.Sender {
	t.Helper()
	s, err := mail.NewSender(cfg, fake.NewClock(fake.Start))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// deliver sends l to a server and returns the delivered message.
func deliver(t *testing.T, cfg mail.Config, s *mailtest.Server, l invitation.Message) mailtest.Message {
	t.Helper()
	is := is.New(t)
	before := len(s.Accepted())
	is.NoErr(sender(t, cfg).Send(t.Context(), l))
	accepted := s.Accepted()
	is.Equal(len(accepted), before+1)
	return accepted[before]
}
