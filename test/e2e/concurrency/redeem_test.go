// Package concurrency_test tests over HTTP that only one of several concurrent requests takes
// effect: redemptions of a coupon with one usage left, retries of a request, and revocations of a
// school's last two keys. The tests run on the memory store and with two servers on one database.
package concurrency_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/cmd/server"
	"lyceum/test/kit"
	"lyceum/test/kit/pgtest"
)

// peopleCount is the number of people who redeem the coupon concurrently.
const peopleCount = 64

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestLastRedemptionInMemory(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Defaults(), 0)
	checkLastRedemption(t, s, s)
}

func TestLastRedemptionOnTwoServers(t *testing.T) {
	t.Parallel()
	cfg := sharedConfig(t)
	checkLastRedemption(t, serve(t, cfg, 0), serve(t, cfg, 0))
}

// sharedConfig returns the configuration of servers on one database.
func sharedConfig(t *testing.T) server.Config {
	t.Helper()
	cfg := server.Defaults()
	cfg.Store, cfg.Files.Dir = server.Postgres, t.TempDir()
	cfg.Postgres.DSN, cfg.Postgres.MaxConns = pgtest.Migrated(t), 8
	return cfg
}

// serve starts a server with a number of workers until the end of the test.
func serve(t *testing.T, cfg server.Config, workers int) *server.Server {
	t.Helper()
	cfg.Transport.Addr, cfg.Worker.Count = "127.0.0.1:0", workers
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

// checkLastRedemption lets many people concurrently redeem a coupon with one usage left, half of
// them on each server.
func checkLastRedemption(t *testing.T, servers ...*server.Server) {
	t.Helper()
	is := is.New(t)
	_, secret, err := kit.School{
		Name: "Acme", Lines: `
		{"kind": "person", "email": "ada@example.test"}
		{"kind": "coupon", "code": "Spring", "currency_code": "EUR", "start_on": "2026-01-02", "format": "fixed", "value": 0.0001, "usages_count": 2, "maximum_usages": 3}`,
	}.Import(t.Context(), servers[0].App())
	is.NoErr(err)
	path, body := redemptionRequest(t, servers[0], secret)
	statuses := make([]int, peopleCount)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range peopleCount {
		wg.Go(func() {
			<-start
			statuses[i] = send(t, servers[i%2], secret, "POST", path, body, "").status
		})
	}
	close(start)
	wg.Wait()
	count := map[int]int{}
	for _, status := range statuses {
		count[status]++
	}
	is.Equal(count, map[int]int{http.StatusCreated: 1, http.StatusUnprocessableEntity: peopleCount - 1})
	is.Equal(usagesCount(t, servers[1], secret, path), 1)
	coupons := send(t, servers[1], secret, "GET", "/v2/coupons", "", "").body
	is.True(strings.Contains(coupons, `"usages_count":3`))
}

// redemptionRequest returns the path and the body of the request with which the first person of the
// school redeems the first coupon.
func redemptionRequest(t *testing.T, s *server.Server, secret string) (path, body string) {
	t.Helper()
	first := func(path string) string {
		var list struct{ Data []struct{ ID string } }
		answer := send(t, s, secret, "GET", path, "", "")
		if err := json.Unmarshal([]byte(answer.body), &list); err != nil {
			t.Fatal(err)
		}
		return list.Data[0].ID
	}
	return "/v2/coupons/" + first("/v2/coupons") + "/redemptions",
		fmt.Sprintf(`{"data":{"type":"coupon_redemptions","relationships":{"person":{"data":{"type":"people","id":%q}}}}}`, first("/v2/people"))
}

// usagesCount returns the number of redemptions in the list at path.
func usagesCount(t *testing.T, s *server.Server, secret, path string) int {
	t.Helper()
	return strings.Count(send(t, s, secret, "GET", path+"?limit=1000", "", "").body, `"type":"coupon_redemptions"`)
}

// response is a server's response. again reports whether the server sent a recorded response.
type response struct {
	status int
	body   string
	again  bool
}

// send sends a request with the API key secret. If repeat is not blank, it is the request's
// Idempotency-Key.
func send(t *testing.T, s *server.Server, secret, method, path, body, repeat string) response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL()+path, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return response{}
	}
	r.Header.Set("X-Api-Key", secret)
	r.Header.Set("Content-Type", "application/json")
	if repeat != "" {
		r.Header.Set("Idempotency-Key", repeat)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return response{}
	}
	said, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	return response{resp.StatusCode, string(said), resp.Header.Get("Idempotent-Replayed") == "true"}
}
