package invitations

import (
	"fmt"
	"testing"

	"github.com/matryer/is"
	"lyceum/cmd/server"
	"lyceum/domain/school"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/mailtest"
)

// Shared tests that two servers on one store deliver each message once, regardless of which server
// added the person.
func Shared(t *testing.T, cfg server.Config) {
	t.Helper()
	is := is.New(t)
	const people = 30
	post := mailtest.Start(t, mailtest.Config{})
	clock := fake.NewClock(fake.Start)
	one := start(t, cfg, clock, post, school.Preregistration)
	two := serve(t, cfg, clock, post)
	two.key = one.key
	for i := range people {
		[]*testServer{one, two}[i%2].invite(t, fmt.Sprintf("person%d@example.test", i))
	}
	for range people {
		<-post.Arrived()
	}
	eventually(t, func() bool { return len(one.undelivered(t)) == 0 })
	is.Equal(len(post.Accepted()), people)
	ids := map[string]bool{}
	for _, m := range post.Accepted() {
		ids[m.To[0]+m.Parse(t).Header.Get("Message-Id")] = true
	}
	is.Equal(len(ids), people) // no message was delivered twice
}

// SharedLimits tests that two servers on one store count their messages together.
func SharedLimits(t *testing.T, cfg server.Config) {
	t.Helper()
	is := is.New(t)
	const limit, people = 5, 20
	cfg.InvitationsPerDay = limit
	post := mailtest.Start(t, mailtest.Config{})
	clock := fake.NewClock(fake.Start)
	one := start(t, cfg, clock, post, school.Preregistration)
	two := serve(t, cfg, clock, post)
	two.key = one.key
	for i := range people {
		[]*testServer{one, two}[i%2].invite(t, fmt.Sprintf("person%d@example.test", i))
	}
	eventually(t, func() bool { return one.allDeferred(t, people-limit) })
	is.Equal(len(post.Accepted()), limit)
}
