package invitations

import (
	"io"
	"net"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/matryer/is"
	"lyceum/cmd/server"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/school"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/mailtest"
)

// errTryLater is the response of a busy mail server.
var errTryLater = &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 2}, Message: "come back later"}

func arrives(t *testing.T, cfg server.Config) {
	is := is.New(t)
	post := mailtest.Start(t, mailtest.Config{})
	s := start(t, cfg, fake.NewClock(fake.Start), post, school.Preregistration)
	s.invite(t, "New.Person@example.test")
	<-post.Arrived()
	m := post.Accepted()[0]
	is.Equal(m.To, []string{"New.Person@example.test"})
	o := m.Parse(t)
	is.Equal(o.Subject, "Invitation to Acme")
	link := linkIn(o)
	is.True(strings.HasPrefix(link, s.URL()+"/invitations/")) // at the address of the server
	is.True(strings.Contains(o.HTML, link))
	eventually(t, func() bool { return len(s.undelivered(t)) == 0 })
	is.Equal(len(post.Accepted()), 1)
}

// testRetry checks a message that the mail server accepts only at the third attempt. It must be
// delivered once, and every attempt must have the same message id.
func testRetry(t *testing.T, cfg server.Config) {
	is := is.New(t)
	tried := make(chan string, 10)
	post := mailtest.Start(t, mailtest.Config{Content: func(_ net.Conn, r io.Reader) error {
		text, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		tried <- regexp.MustCompile(`(?i)message-id: \S+`).FindString(string(text))
		if len(tried) < 3 {
			return errTryLater
		}
		return nil
	}})
	clock := fake.NewClock(fake.Start)
	s := start(t, cfg, clock, post, school.Preregistration)
	s.invite(t, "new@example.test")
	for attempts := range 2 {
		eventually(t, func() bool {
			jobs := s.undelivered(t)
			return len(jobs) == 1 && jobs[0].State == job.Waiting && jobs[0].Attempts == attempts+1
		})
		is.Equal(s.undelivered(t)[0].LastError, "mail server, content: 451 4.3.2 come back later")
		is.Equal(len(tried), attempts+1) // no attempt before the run time
		clock.Advance(2 * time.Minute)
	}
	<-post.Arrived()
	eventually(t, func() bool { return len(s.undelivered(t)) == 0 })
	is.Equal(len(tried), 3)
	id := <-tried
	is.True(id != "")
	is.Equal(<-tried, id)
	is.Equal(<-tried, id)
}

// testMailServerDown checks that a person can be added while the mail server is down.
func testMailServerDown(t *testing.T, cfg server.Config) {
	is := is.New(t)
	down := mailtest.Start(t, mailtest.Config{})
	down.Stop()
	clock := fake.NewClock(fake.Start)
	s := start(t, cfg, clock, down, school.Preregistration)
	s.invite(t, "new@example.test")
	eventually(t, func() bool { jobs := s.undelivered(t); return len(jobs) == 1 && jobs[0].LastError != "" })
	waiting := s.undelivered(t)[0]
	up := mailtest.Start(t, mailtest.Config{Addr: down.Addr()})
	clock.Advance(time.Minute)
	<-up.Arrived()
	eventually(t, func() bool { return len(s.undelivered(t)) == 0 })
	is.Equal(len(up.Accepted()), 1)
	is.Equal(up.Accepted()[0].Parse(t).Header.Get("Message-Id"), "<"+waiting.ID.String()+"@school.example>")
}

// testPermanentError checks that a rejected message becomes dead immediately and that an operator
// can retry it.
func testPermanentError(t *testing.T, cfg server.Config) {
	is := is.New(t)
	var open atomic.Bool
	post := mailtest.Start(t, mailtest.Config{Recipient: func(string) error {
		if open.Load() {
			return nil
		}
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such user"}
	}})
	s := start(t, cfg, fake.NewClock(fake.Start), post, school.Preregistration)
	s.invite(t, "new@example.test")
	eventually(t, func() bool { jobs := s.undelivered(t); return len(jobs) == 1 && jobs[0].State == job.Dead })
	dead := s.undelivered(t)[0]
	is.Equal(dead.Attempts, 1)
	is.Equal(dead.LastError, "invalid: email: was rejected by the mail server: 550 5.1.1 no such user")
	open.Store(true)
	is.NoErr(s.App().Jobs.Retry(t.Context(), invitation.Kind, dead.ID))
	<-post.Arrived()
	eventually(t, func() bool { return len(s.undelivered(t)) == 0 })
}

func singleSignOn(t *testing.T, cfg server.Config) {
	is := is.New(t)
	post := mailtest.Start(t, mailtest.Config{})
	cfg.Worker.Count = 0
	s := start(t, cfg, fake.NewClock(fake.Start), post, school.SSO)
	s.invite(t, "new@example.test")
	is.Equal(len(s.undelivered(t)), 0)
}
