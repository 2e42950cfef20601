package invitations

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/cmd/server"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/school"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/mailtest"
)

// testCrashedWorker checks that another worker delivers the message of a crashed worker as soon as
// the lease has expired, but not earlier.
func testCrashedWorker(t *testing.T, cfg server.Config) {
	is := is.New(t)
	post := mailtest.Start(t, mailtest.Config{})
	clock := fake.NewClock(fake.Start)
	cfg.Worker.Count = 0
	s := start(t, cfg, clock, post, school.Preregistration)
	s.invite(t, "new@example.test")
	taken, err := s.queue.Lease(t.Context(), invitation.Kind, 1, clock.Now(), clock.Now().Add(time.Minute))
	is.NoErr(err)
	is.Equal(len(taken), 1)

	clock.Advance(59 * time.Second)
	found, err := s.App().InvitationDelivery.DeliverNext(t.Context())
	is.NoErr(err)
	is.True(!found)
	clock.Advance(time.Second)
	found, err = s.App().InvitationDelivery.DeliverNext(t.Context())
	is.NoErr(err)
	is.True(found)
	is.Equal(len(post.Accepted()), 1)
	is.Equal(len(s.undelivered(t)), 0)
}

// holdingServer returns a mail server that holds each delivery. When it has read a message, it
// sends to held. It accepts the message after the test has closed letGo.
func holdingServer(t *testing.T) (post *mailtest.Server, held, letGo chan struct{}) {
	t.Helper()
	held, letGo = make(chan struct{}, 1), make(chan struct{})
	post = mailtest.Start(t, mailtest.Config{Content: func(_ net.Conn, r io.Reader) error {
		_, err := io.Copy(io.Discard, r)
		held <- struct{}{}
		<-letGo
		return err
	}})
	return post, held, letGo
}

// testGracefulStop checks that a server that is stopping completes a delivery in progress and saves
// its outcome.
func testGracefulStop(t *testing.T, cfg server.Config) {
	is := is.New(t)
	post, held, letGo := holdingServer(t)
	clock := fake.NewClock(fake.Start)
	s := start(t, cfg, clock, post, school.Preregistration)
	s.invite(t, "new@example.test")
	<-held
	stopped := make(chan error)
	go func() { stopped <- s.Stop() }()
	time.AfterFunc(20*time.Millisecond, func() { close(letGo) })
	is.NoErr(<-stopped)
	is.Equal(len(post.Accepted()), 1)
	is.Equal(len(remaining(t, cfg, clock, post, s)), 0)
}

// testAbortedDelivery checks that an aborted delivery is retried after the lease expires. A
// delivery is aborted, for example, if a stop takes too long.
func testAbortedDelivery(t *testing.T, cfg server.Config) {
	is := is.New(t)
	post, held, letGo := holdingServer(t)
	clock := fake.NewClock(fake.Start)
	cfg.Worker.Count = 0
	s := start(t, cfg, clock, post, school.Preregistration)
	s.invite(t, "new@example.test")
	ctx, cutOff := context.WithCancel(t.Context())
	result := make(chan error)
	go func() {
		_, err := s.App().InvitationDelivery.DeliverNext(ctx)
		result <- err
	}()
	<-held
	cutOff()
	is.True(errors.Is(<-result, context.Canceled))
	is.Equal(s.undelivered(t)[0].State, job.Leased)
	close(letGo)

	clock.Advance(time.Hour)
	found, err := s.App().InvitationDelivery.DeliverNext(t.Context())
	is.NoErr(err)
	is.True(found)
	is.Equal(len(s.undelivered(t)), 0)
}

// remaining returns the jobs of undelivered messages after s has stopped. On Postgres it reads them
// through a new server.
func remaining(t *testing.T, cfg server.Config, clock *fake.Clock, post *mailtest.Server, s *testServer) []job.Job {
	t.Helper()
	if cfg.Store == server.Memory {
		return s.undelivered(t)
	}
	cfg.Worker.Count = 0
	return serve(t, cfg, clock, post).undelivered(t)
}
