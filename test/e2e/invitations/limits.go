package invitations

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/cmd/server"
	"lyceum/domain/job"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/mailtest"
)

// allDeferred reports whether exactly n messages are undelivered, all deferred by a limit and
// without a counted attempt.
func (s *testServer) allDeferred(t *testing.T, n int) bool {
	t.Helper()
	jobs := s.undelivered(t)
	return len(jobs) == n && !slices.ContainsFunc(jobs, func(j job.Job) bool {
		return j.State != job.Waiting || j.Attempts != 0 || !strings.HasPrefix(j.LastError, "held: ")
	})
}

// deletePerson deletes the only person of the school.
func (s *testServer) deletePerson(t *testing.T) {
	t.Helper()
	is := is.New(t)
	actor := app.SystemActor(s.school)
	found, err := s.App().People.List(t.Context(), actor, query.Query{Page: query.AllRows()})
	is.NoErr(err)
	is.Equal(len(found.Items), 1)
	is.NoErr(s.App().People.Delete(t.Context(), actor, found.Items[0].ID))
}

// testPauseAfterDeletion checks that the pause for an address does not end when the person is
// deleted. If the person is created again, no further message is sent during the pause.
func testPauseAfterDeletion(t *testing.T, cfg server.Config) {
	is := is.New(t)
	const times = 20
	post := mailtest.Start(t, mailtest.Config{})
	clock := fake.NewClock(fake.Start)
	s := start(t, cfg, clock, post, school.Preregistration)
	s.invite(t, "Stranger@example.test")
	<-post.Arrived()
	eventually(t, func() bool { return len(s.undelivered(t)) == 0 })
	for i := range times {
		s.deletePerson(t)
		s.invite(t, []string{"stranger@example.test", "STRANGER@example.test"}[i%2])
		eventually(t, func() bool { return s.allDeferred(t, 1) })
	}
	is.Equal(len(post.Accepted()), 1)

	other := s.withNewSchool(t)
	other.invite(t, "stranger@example.test") // a different school
	<-post.Arrived()
	eventually(t, func() bool { return s.allDeferred(t, 1) })
	clock.Advance(time.Minute)
	<-post.Arrived()
	eventually(t, func() bool { return len(s.undelivered(t)) == 0 })
	is.Equal(len(post.Accepted()), 3)
}

// testDailyLimit checks that a school sends a limited number of messages per day, counted across
// all servers. Further messages are deferred until the next day, and other schools are not
// affected.
func testDailyLimit(t *testing.T, cfg server.Config) {
	is := is.New(t)
	const limit, people = 3, 8
	cfg.InvitationsPerDay = limit
	post := mailtest.Start(t, mailtest.Config{})
	clock := fake.NewClock(fake.Start.Truncate(24 * time.Hour).Add(12 * time.Hour))
	s := start(t, cfg, clock, post, school.Preregistration)
	for i := range people {
		s.invite(t, fmt.Sprintf("person%d@example.test", i))
	}
	for range limit {
		<-post.Arrived()
	}
	eventually(t, func() bool { return s.allDeferred(t, people-limit) })
	other := s.withNewSchool(t)
	other.invite(t, "new@example.test")
	<-post.Arrived()
	is.Equal(recipients(post), limit+1)
	clock.Advance(11 * time.Hour) // still the same day
	eventually(t, func() bool { return s.allDeferred(t, people-limit) })
	for day, left := range []int{people - 2*limit, 0} {
		clock.Advance([]time.Duration{time.Hour, 24 * time.Hour}[day])
		eventually(t, func() bool { return s.allDeferred(t, left) })
		is.Equal(recipients(post), people-left+1)
	}
}

// recipients returns the number of addresses that received a message. A message may be delivered
// twice, because the test's clock advances in jumps and a lease may expire during a delivery. Such
// a message counts once.
func recipients(post *mailtest.Server) int {
	all := map[string]bool{}
	for _, m := range post.Accepted() {
		all[strings.Join(m.To, " ")] = true
	}
	return len(all)
}
