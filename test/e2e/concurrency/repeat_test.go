package concurrency_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/cmd/server"
	"lyceum/domain/school"
	"lyceum/test/kit"
)

func TestIdempotentRequestInMemory(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Defaults(), 0)
	checkIdempotentRequests(t, s, s)
}

func TestIdempotentRequestOnTwoServers(t *testing.T) {
	t.Parallel()
	cfg := sharedConfig(t)
	checkIdempotentRequests(t, serve(t, cfg, 0), serve(t, cfg, 0))
}

// checkIdempotentRequests sends a redemption many times concurrently with one Idempotency-Key, half
// of the requests to each server. The redemption must be executed once, and all requests must get
// the same response. The check is repeated with a few keys.
func checkIdempotentRequests(t *testing.T, servers ...*server.Server) {
	t.Helper()
	const keys, many = 3, 32
	is := is.New(t)
	_, secret, err := kit.School{
		Name: "Acme", Lines: `
		{"kind": "person", "email": "ada@example.test"}
		{"kind": "coupon", "code": "Spring", "currency_code": "EUR", "start_on": "2026-01-02", "format": "fixed", "value": 0.0001, "maximum_usages": 1000}`,
	}.Import(t.Context(), servers[0].App())
	is.NoErr(err)
	path, body := redemptionRequest(t, servers[0], secret)
	for key := range keys {
		answers := make([]response, many)
		start := make(chan struct{})
		var wg sync.WaitGroup
		for i := range many {
			wg.Go(func() {
				<-start
				answers[i] = send(t, servers[i%2], secret, "POST", path, body, fmt.Sprint("once ", key))
			})
		}
		close(start)
		wg.Wait()
		again := 0
		for _, a := range answers {
			is.Equal(a.status, http.StatusCreated)
			is.Equal(a.body, answers[0].body)
			if a.again {
				again++
			}
		}
		is.Equal(again, many-1)
		is.Equal(usagesCount(t, servers[1], secret, path), key+1)
	}
	coupons := send(t, servers[1], secret, "GET", "/v2/coupons", "", "").body
	is.True(strings.Contains(coupons, fmt.Sprintf(`"usages_count":%d,`, keys)))
}

func TestLastTwoKeysInMemory(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Defaults(), 0)
	checkLastTwoKeys(t, s, s)
}

func TestLastTwoKeysOnTwoServers(t *testing.T) {
	t.Parallel()
	cfg := sharedConfig(t)
	checkLastTwoKeys(t, serve(t, cfg, 0), serve(t, cfg, 0))
}

// checkLastTwoKeys lets two administrators of a school, one on each server, concurrently revoke
// each other's key. Exactly one of them must be rejected, because a school must keep a key. The
// check is repeated several times.
func checkLastTwoKeys(t *testing.T, servers ...*server.Server) {
	t.Helper()
	is := is.New(t)
	made, err := servers[0].App().Provision.CreateSchool(t.Context(), "Acme", school.Preregistration, "")
	is.NoErr(err)
	admin := app.SystemActor(made.ID)
	for range 10 {
		var keys [2]school.Key
		for i := range keys {
			keys[i], _, err = servers[0].App().Keys.Create(t.Context(), admin, school.KeyParams{Name: "Admin", Scope: school.Admin})
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
		is.True((refused[0] == nil) != (refused[1] == nil)) // exactly one is rejected
		left := keys[0]
		if refused[0] != nil {
			left = keys[1]
		}
		is.NoErr(servers[0].App().Provision.RevokeKey(t.Context(), left.ID))
	}
}
