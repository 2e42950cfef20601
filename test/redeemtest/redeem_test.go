// Package redeemtest_test tests that what many want at once by HTTP is done once,
// on each store, and with two servers on one database: the last use of a coupon,
// and a request that is repeated.
package redeemtest_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/cmd/server"
	"lyceum/domain/coupon"
	"lyceum/domain/person"
	"lyceum/test/fake"
	"lyceum/test/pgtest"
)

// crowd is how many want the last use at once.
const crowd = 64

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestTheLastUseInMemory(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Defaults())
	theLastUse(t, s, s)
}

func TestTheLastUseOnTwoServers(t *testing.T) {
	t.Parallel()
	cfg := shared(t)
	theLastUse(t, serve(t, cfg), serve(t, cfg))
}

// shared returns the configuration of servers on one database.
func shared(t *testing.T) server.Config {
	t.Helper()
	cfg := server.Defaults()
	cfg.Store, cfg.Files.Dir = server.Postgres, t.TempDir()
	cfg.Postgres.DSN, cfg.Postgres.MaxConns = pgtest.Migrated(t), 8
	return cfg
}

func serve(t *testing.T, cfg server.Config) *server.Server {
	t.Helper()
	cfg.Transport.Addr, cfg.Worker.Count = "127.0.0.1:0", 0
	s, err := server.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		_ = s.Stop()
	})
	return s
}

// theLastUse has a crowd, half of it on each server, redeem a coupon of which one
// use is left.
func theLastUse(t *testing.T, servers ...*server.Server) {
	t.Helper()
	is := is.New(t)
	_, secrets, err := servers[0].App().Provision.Load(t.Context(), app.Blueprint{
		School: app.SchoolPlan{Name: "Acme"}, Keys: []app.KeyPlan{{Name: "tests"}},
		People: []app.PersonPlan{{Profile: person.Profile{Email: "ada@example.test"}}},
		Coupons: []app.CouponPlan{{Terms: coupon.Terms{
			Code: "Spring", Currency: "EUR", StartOn: fake.Start, Format: coupon.Fixed, Value: 1, UsagesCount: 2, MaximumUsages: 3,
		}}},
	})
	is.NoErr(err)
	ask := func(s *server.Server, method, path, body string) (int, string) {
		return send(t, s, secrets[0], method, path, body, "")
	}
	first := func(path string) string {
		var list struct{ Data []struct{ ID string } }
		_, answer := ask(servers[0], "GET", path, "")
		is.NoErr(json.Unmarshal([]byte(answer), &list))
		return list.Data[0].ID
	}
	path := "/v2/coupons/" + first("/v2/coupons") + "/redemptions"
	body := fmt.Sprintf(`{"data":{"type":"coupon_redemptions","relationships":{"person":{"data":{"type":"people","id":%q}}}}}`, first("/v2/people"))

	statuses := make([]int, crowd)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range crowd {
		wg.Go(func() {
			<-start
			statuses[i], _ = ask(servers[i%2], "POST", path, body)
		})
	}
	close(start)
	wg.Wait()
	count := map[int]int{}
	for _, status := range statuses {
		count[status]++
	}
	is.Equal(count, map[int]int{http.StatusCreated: 1, http.StatusUnprocessableEntity: crowd - 1})
	_, list := ask(servers[1], "GET", path, "")
	is.Equal(strings.Count(list, `"type":"coupon_redemptions"`), 1)
	_, coupons := ask(servers[1], "GET", "/v2/coupons", "")
	is.True(strings.Contains(coupons, `"usages_count":3`))
}

// send sends a request, under an Idempotency-Key unless that is blank, and returns
// the status and the body of the answer.
func send(t *testing.T, s *server.Server, secret, method, path, body, repeat string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL()+path, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	r.Header.Set("X-Api-Key", secret)
	r.Header.Set("Content-Type", "application/json")
	if repeat != "" {
		r.Header.Set("Idempotency-Key", repeat)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	answer, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	return resp.StatusCode, string(answer)
}
