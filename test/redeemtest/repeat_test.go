package redeemtest_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/cmd/server"
	"lyceum/domain/school"
)

func TestARepeatedRequestInMemory(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Defaults())
	repeated(t, s, s)
}

func TestARepeatedRequestOnTwoServers(t *testing.T) {
	t.Parallel()
	cfg := shared(t)
	repeated(t, serve(t, cfg), serve(t, cfg))
}

// repeated sends a request under one key many times at once, half of them to each
// server: it is carried out once, and everybody gets the one answer.
func repeated(t *testing.T, servers ...*server.Server) {
	t.Helper()
	const many = 16
	is := is.New(t)
	_, secrets, err := servers[0].App().Provision.Load(t.Context(), app.Blueprint{
		School: app.SchoolPlan{Name: "Acme"}, Keys: []app.KeyPlan{{Name: "tests"}},
	})
	is.NoErr(err)
	bodies := make([]string, many)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range many {
		wg.Go(func() {
			<-start
			var status int
			status, bodies[i] = send(t, servers[i%2], secrets[0], "POST", "/v2/people",
				`{"data":{"attributes":{"email":"ada@example.test"}}}`, "once")
			if status != http.StatusCreated {
				t.Error(status, bodies[i])
			}
		})
	}
	close(start)
	wg.Wait()
	for _, b := range bodies {
		is.Equal(b, bodies[0])
	}
	_, list := send(t, servers[1], secrets[0], "GET", "/v2/people", "", "")
	is.Equal(strings.Count(list, `"email":"ada@example.test"`), 1)
}

func TestTheLastTwoKeysInMemory(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Defaults())
	theLastTwoKeys(t, s, s)
}

func TestTheLastTwoKeysOnTwoServers(t *testing.T) {
	t.Parallel()
	cfg := shared(t)
	theLastTwoKeys(t, serve(t, cfg), serve(t, cfg))
}

// theLastTwoKeys has two who administer a school, each on a server, revoke each
// other's key at once, again and again: one of them is always refused.
func theLastTwoKeys(t *testing.T, servers ...*server.Server) {
	t.Helper()
	is := is.New(t)
	made, err := servers[0].App().Provision.CreateSchool(t.Context(), "Acme", school.Preregistration, "")
	is.NoErr(err)
	admin := app.System(made.ID)
	for range 10 {
		var keys [2]school.Key
		for i := range keys {
			keys[i], _, err = servers[0].App().Keys.Create(t.Context(), admin, school.KeyTerms{Name: "Admin", Scope: school.Admin})
			is.NoErr(err)
		}
		refused := make([]error, 2)
		start := make(chan struct{})
		var wg sync.WaitGroup
		for i := range keys {
			wg.Go(func() {
				<-start
				refused[i] = servers[i].App().Keys.Revoke(t.Context(), admin, keys[1-i].ID)
			})
		}
		close(start)
		wg.Wait()
		is.True((refused[0] == nil) != (refused[1] == nil)) // one, and one alone, is refused
		left := keys[0]
		if refused[0] != nil {
			left = keys[1]
		}
		is.NoErr(servers[0].App().Provision.RevokeKey(t.Context(), left.ID))
	}
}
