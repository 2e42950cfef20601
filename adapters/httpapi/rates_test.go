package httpapi_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/httpapi/downloads"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/limiter"
	"lyceum/app"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/token"
)

func always(context.Context) error { return nil }

// from sends a request from a client address, with key unless it is blank.
func (a *api) from(address, key, method, path string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(a.t.Context(), method, path, http.NoBody)
	r.RemoteAddr = address
	if key != "" {
		r.Header.Set("X-Api-Key", key)
	}
	return a.serve(r)
}

// report sends n events in one document.
func (a *api) report(key string, n int) *httptest.ResponseRecorder {
	body := `{"data":[` + strings.Repeat(`{"type":"learner_viewed_activity_events"},`, n-1) + `{"type":"learner_viewed_activity_events"}]}`
	r := httptest.NewRequestWithContext(a.t.Context(), http.MethodPost, "/v2/events", strings.NewReader(body))
	r.RemoteAddr = client
	r.Header.Set("X-Api-Key", key)
	r.Header.Set("Content-Type", "application/json")
	return a.serve(r)
}

// guess returns a well-formed key that does not exist. Different n result in different keys.
func guess(n byte) string {
	random := make([]byte, school.SecretBytes)
	random[0] = n
	return school.EncodeSecret(random)
}

const (
	client  = "192.0.2.1:1000"
	another = "192.0.2.2:1000"
)

func rateHeaders(w *httptest.ResponseRecorder) string {
	h := w.Header()
	return strings.Join([]string{h.Get("RateLimit-Policy"), h.Get("RateLimit"), h.Get("Retry-After")}, " | ")
}

func TestRateOfKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		a := newAPI(t, httpapi.Config{Rates: limits.Rates{Key: 2}}, always)
		w := a.from(client, a.key, "GET", "/v1/categories")
		is.Equal(w.Code, 200)
		is.Equal(rateHeaders(w), `"key";q=2;w=60 | "key";r=1;t=30 | `)
		w = a.from(another, a.key, "GET", "/v1/nothing") // counted by key, not by address or path
		is.Equal(w.Code, 404)
		is.Equal(rateHeaders(w), `"key";q=2;w=60 | "key";r=0;t=60 | `)
		w = a.from(client, a.key, "POST", "/v1/categories")
		is.Equal(w.Code, 429)
		is.Equal(rateHeaders(w), `"key";q=2;w=60 | "key";r=0;t=60 | 30`)
		is.Equal(w.Body.String(), `{"errors":[{"status":"429","title":"Too Many Requests","detail":"Too many requests with this API key. Try again later","source":{}}]}`)
		is.Equal(a.from(client, "", "GET", "/healthz").Code, 200)
		time.Sleep(30 * time.Second)
		is.Equal(a.from(client, a.key, "GET", "/v1/categories").Code, 200)
		is.Equal(a.from(client, a.key, "GET", "/v1/categories").Code, 429)
		is.Equal(a.handler.RateLimited(), map[string]int64{"key": 2, "learner": 0, "wrong-keys": 0, "unknown-tokens": 0})
	})
}

// All tokens of a learner count together, and API keys have a limit of their own.
func TestRateOfLearner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		a := newAPI(t, httpapi.Config{Rates: limits.Rates{Key: 100, Learner: 2}}, always)
		ada, alan := a.addPerson("ada@example.test"), a.addPerson("alan@example.test")
		first, second := a.tokenOf(ada), a.tokenOf(ada)
		w := a.from(client, first, "GET", "/v2/courses")
		is.Equal(w.Code, 200)
		is.Equal(rateHeaders(w), `"learner";q=2;w=60 | "learner";r=1;t=30 | `)
		is.Equal(a.from(another, second, "GET", "/v2/courses").Code, 200)
		w = a.from(client, first, "GET", "/v2/courses")
		is.Equal(w.Code, 429)
		is.Equal(rateHeaders(w), `"learner";q=2;w=60 | "learner";r=0;t=60 | 30`)
		is.Equal(a.from(client, second, "GET", "/v2/courses").Code, 429)
		is.Equal(a.from(client, a.tokenOf(alan), "GET", "/v2/courses").Code, 200)
		is.Equal(a.from(client, a.key, "GET", "/v2/courses").Code, 200)
	})
}

// Ten events in one document count as a request of the learner. The document is accepted, and later
// requests wait.
func TestRateOfEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		a := newAPI(t, httpapi.Config{Rates: limits.Rates{Key: 10, Learner: 10}}, always)
		learner := a.tokenOf(a.addPerson("ada@example.test"))
		w := a.report(learner, 1)
		is.Equal(w.Code, 422) // the events have no activity
		is.Equal(rateHeaders(w), `"learner";q=10;w=60 | "learner";r=9;t=6 | `)
		is.Equal(rateHeaders(a.report(learner, 10)), `"learner";q=10;w=60 | "learner";r=8;t=12 | `)
		is.Equal(rateHeaders(a.report(learner, 11)), `"learner";q=10;w=60 | "learner";r=6;t=24 | `)
		w = a.report(learner, 81)
		is.Equal(w.Code, 422)
		is.Equal(rateHeaders(w), `"learner";q=10;w=60 | "learner";r=0;t=78 | `)
		w = a.from(client, learner, "GET", "/v2/courses")
		is.Equal(w.Code, 429)
		is.Equal(rateHeaders(w), `"learner";q=10;w=60 | "learner";r=0;t=78 | 24`)
		time.Sleep(24 * time.Second)
		is.Equal(a.from(client, learner, "GET", "/v2/courses").Code, 200)
		w = a.report(a.key, 81) // counts as one request of a key
		is.Equal(w.Code, 422)
		is.Equal(rateHeaders(w), `"key";q=10;w=60 | "key";r=9;t=6 | `)
	})
}

func (a *api) addPerson(email string) person.ID {
	p, err := a.app.People.Create(a.t.Context(), a.system(), person.Profile{Email: email})
	if err != nil {
		a.t.Fatal(err)
	}
	return p.ID
}

func (a *api) tokenOf(id person.ID) string {
	_, secret, err := a.app.Tokens.Create(a.t.Context(), a.system(), id, token.Expiry{})
	if err != nil {
		a.t.Fatal(err)
	}
	return secret
}

func (a *api) system() app.Actor { return app.SystemActor(school.ID{UUID: uuid.MustParse(a.school)}) }

// A refusal is delayed, at most until the deadline of its request, whether requests are sequential
// or concurrent. Other responses are not delayed.
func TestRefusalDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		a := newAPI(t, httpapi.Config{
			Rates:     limits.Rates{Key: 1, WrongKeys: 1},
			Admission: limits.Admission{RefusalDelay: time.Second},
		}, always)
		took := func(address, key string, want int) time.Duration {
			begin := time.Now()
			is.Equal(a.from(address, key, "GET", "/v1/coupons").Code, want)
			return time.Since(begin)
		}
		is.Equal(took(client, a.key, 200), time.Duration(0))
		is.Equal(took(client, a.key, 429), time.Second)
		is.Equal(took(client, guess(1), 401), time.Duration(0))
		var all sync.WaitGroup
		for i := range 10 {
			all.Go(func() { is.Equal(took(client, guess(byte(i+2)), 429), time.Second) })
		}
		begin := time.Now()
		synctest.Wait()
		is.Equal(took(another, guess(20), 401), time.Duration(0)) // the delayed refusals hold no slot
		all.Wait()
		is.Equal(time.Since(begin), time.Second)

		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		begin = time.Now()
		r := httptest.NewRequestWithContext(ctx, "GET", "/v1/coupons", nil)
		r.Header.Set("X-Api-Key", a.key)
		a.serve(r)
		is.Equal(time.Since(begin), 100*time.Millisecond)
	})
}

// Concurrent requests without a key from one address are spread over time. Health requests and
// requests from other addresses are not.
func TestKeylessRequestsAreSpaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		a := newAPI(t, httpapi.Config{}, always)
		slowest := func(path string, want int) time.Duration {
			var all sync.WaitGroup
			begin := time.Now()
			// Each processor starts ten at once, then one per millisecond.
			for range 1 + 20*limiter.Processors() {
				all.Go(func() { is.Equal(a.from(client, "", "GET", path).Code, want) })
			}
			all.Wait()
			return time.Since(begin).Round(time.Millisecond)
		}
		is.Equal(slowest("/readyz", 200), time.Duration(0))
		is.Equal(slowest("/v1/coupons", 401) >= 10*time.Millisecond, true)
		begin := time.Now()
		is.Equal(a.from(another, "", "GET", "/v1/coupons").Code, 401)
		is.Equal(time.Since(begin), time.Duration(0))
	})
}

// The refusal of a request that does not fit into the queue is delayed as well.
func TestRefusalDelayOfFullQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		end := make(chan struct{})
		a := newAPI(t, httpapi.Config{Admission: limits.Admission{
			Slots: 1, Expensive: 1, Waiting: 2, Wait: time.Minute, RefusalDelay: time.Second,
		}}, func(context.Context) error {
			<-end
			return nil
		})
		var all sync.WaitGroup
		for range 2 { // one request runs; another waits in the half of the queue that one school may use
			all.Go(func() { is.Equal(a.get(t.Context(), "/v1/categories?q=x").Code, 200) })
		}
		synctest.Wait()
		begin := time.Now()
		is.Equal(a.get(t.Context(), "/v1/categories?q=x").Code, 503)
		is.Equal(time.Since(begin), time.Second)
		close(end)
		all.Wait()
	})
}

func TestRateOfKeyIsOffByDefault(t *testing.T) {
	is := is.New(t)
	a := newAPI(t, httpapi.Config{}, always)
	for range 200 {
		w := a.from(client, a.key, "GET", "/v1/coupons")
		is.Equal(w.Code, 200)
		is.Equal(rateHeaders(w), " |  | ")
	}
}

func TestRateOfWrongKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		a := newAPI(t, httpapi.Config{Rates: limits.Rates{WrongKeys: 3}}, always)
		is.Equal(a.from(client, a.key, "GET", "/v1/coupons").Code, 200)
		is.Equal(a.from(client, "", "GET", "/v1/coupons").Code, 401) // a missing key does not count as a wrong key
		for i, wrong := range []string{guess(1), "malformed", guess(2)} {
			w := a.from(client, wrong, "GET", "/v1/coupons")
			is.Equal(w.Code, 401)
			is.Equal(rateHeaders(w), `"wrong-keys";q=3;w=60 | "wrong-keys";r=`+string(rune('2'-i))+`;t=`+[]string{"20", "40", "60"}[i]+` | `)
		}
		before := a.lookups.Load()
		for _, wrong := range []string{guess(1), guess(3), "malformed"} {
			w := a.from(client, wrong, "GET", "/v1/coupons")
			is.Equal(w.Code, 429)
			is.Equal(rateHeaders(w), `"wrong-keys";q=3;w=60 | "wrong-keys";r=0;t=60 | 20`)
		}
		w := a.from(client, a.secondKey, "GET", "/v1/coupons") // valid, and not seen before
		is.Equal(w.Code, 429)
		is.Equal(a.lookups.Load(), before) // the key was not looked up in the store
		w = a.from(client, a.key, "GET", "/v1/coupons")
		is.Equal(w.Code, 200) // the key was seen before
		is.Equal(rateHeaders(w), " |  | ")
		is.Equal(a.from(another, guess(1), "GET", "/v1/coupons").Code, 401)
		is.Equal(a.from(another, a.secondKey, "GET", "/v1/coupons").Code, 200)
		is.Equal(a.from(client, a.secondKey, "GET", "/v1/coupons").Code, 200) // the key has now been seen
		time.Sleep(20 * time.Second)
		is.Equal(a.from(client, guess(1), "GET", "/v1/coupons").Code, 401)
		is.Equal(a.from(client, guess(1), "GET", "/v1/coupons").Code, 429)
		is.Equal(a.handler.RateLimited(), map[string]int64{"key": 0, "learner": 0, "wrong-keys": 5, "unknown-tokens": 0})
	})
}

// A revoked key counts as a wrong key, even if it is cached.
func TestRateOfRevokedKeys(t *testing.T) {
	is := is.New(t)
	a := newAPI(t, httpapi.Config{Rates: limits.Rates{WrongKeys: 2}}, always)
	is.Equal(a.from(client, a.key, "GET", "/v1/coupons").Code, 200)
	actor, err := a.app.Auth.Authenticate(t.Context(), a.key)
	is.NoErr(err)
	is.NoErr(a.app.Provision.RevokeKey(t.Context(), actor.Key()))
	a.clock.Advance(5 * time.Second)
	is.Equal(a.from(client, a.key, "GET", "/v1/coupons").Code, 401)
	is.Equal(a.from(client, a.key, "GET", "/v1/coupons").Code, 401)
	before := a.lookups.Load()
	is.Equal(a.from(client, a.key, "GET", "/v1/coupons").Code, 429)
	is.Equal(a.lookups.Load(), before)
}

// Addresses in one IPv6 /64 network share a quota. In the mode Proxy, the address that the proxy
// sends counts.
func TestRateOfAddresses(t *testing.T) {
	is := is.New(t)
	a := newAPI(t, httpapi.Config{Rates: limits.Rates{WrongKeys: 1}}, always)
	for _, step := range []struct {
		address string
		want    int
	}{
		{"192.0.2.1:1", 401},
		{"192.0.2.1:2", 429},
		{"[::ffff:192.0.2.1]:1", 429},
		{"192.0.2.2:1", 401},
		{"[2001:db8:0:1::1]:1", 401},
		{"[2001:db8:0:1:ffff::2]:1", 429},
		{"[2001:db8:0:2::1]:1", 401},
	} {
		is.Equal(a.from(step.address, guess(1), "GET", "/v1/coupons").Code, step.want) // the status for step.address
	}

	proxied := newAPI(t, httpapi.Config{
		Rates:   limits.Rates{WrongKeys: 1},
		Address: func(r *http.Request) netip.Addr { return netip.MustParseAddr(r.UserAgent()) },
	}, always)
	ask := func(address string) int {
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/v1/coupons", http.NoBody)
		r.Header.Set("User-Agent", address)
		r.Header.Set("X-Api-Key", guess(1))
		return proxied.serve(r).Code
	}
	is.Equal(ask("192.0.2.1"), 401)
	is.Equal(ask("192.0.2.2"), 401)
	is.Equal(ask("192.0.2.1"), 429)
}

func TestRateOfUnknownTokens(t *testing.T) {
	const unknown = "/0123456789012345678901234567890123456789"
	for _, tt := range []struct {
		name, method, path string
		want               int
	}{
		{"page", "GET", "/invitations" + unknown, 404},
		{"form", "POST", "/invitations" + unknown, 404},
		{"acceptance", "POST", "/v2/invitations" + unknown + "/acceptance", 404},
		{"download", "GET", "/files/submissions/0198a3a5-1f6a-7d0c-9c0e-3a5b1c2d4a01/a.txt?expires=99999999999&signature=x", 403},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				a := newAPI(t, httpapi.Config{
					Rates: limits.Rates{UnknownTokens: 1, WrongKeys: 1},
					Links: httpapi.Links{Base: "http://a", Download: "http://a/files"},
				}, always)
				w := a.from(client, "", tt.method, tt.path)
				is.Equal(w.Code, tt.want)
				is.Equal(rateHeaders(w), `"unknown-tokens";q=1;w=60 | "unknown-tokens";r=0;t=60 | `)
				w = a.from(client, "", tt.method, tt.path)
				is.Equal(w.Code, 429)
				is.Equal(rateHeaders(w), `"unknown-tokens";q=1;w=60 | "unknown-tokens";r=0;t=60 | 60`)
				is.Equal(a.from(another, "", tt.method, tt.path).Code, tt.want)
				is.Equal(a.from(client, a.key, "GET", "/v1/coupons").Code, 200)
				time.Sleep(time.Minute)
				is.Equal(a.from(client, "", tt.method, tt.path).Code, tt.want)
			})
		})
	}
}

// A network can request twice as many emails to strangers in an hour as unknown tokens in a minute.
func TestRateOfEmails(t *testing.T) {
	for tokens, want := range map[int][]bool{1: {true, true, false}, 0: {true, true, true}} {
		is := is.New(t)
		a := newAPI(t, httpapi.Config{Rates: limits.Rates{UnknownTokens: tokens}}, always)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", nil)
		r.RemoteAddr = client
		for _, ok := range want {
			is.Equal(a.handler.TakeEmail(r), ok)
		}
		r.RemoteAddr = another
		is.True(a.handler.TakeEmail(r))
	}
}

// A valid link works for an address that has used up its quota for unknown links.
func TestRateSparesValidDownloads(t *testing.T) {
	is := is.New(t)
	a := newAPI(t, httpapi.Config{
		Rates:     limits.Rates{UnknownTokens: 1},
		Links:     httpapi.Links{Base: "http://a", Download: "http://a/files"},
		Downloads: downloads.Config{Secret: []byte("secret")},
	}, always)
	const id, name, expires = "0198a3a5-1f6a-7d0c-9c0e-3a5b1c2d4a01", "a.txt", "99999999999"
	link := "/files/submissions/" + id + "/" + name + "?expires=" + expires + "&signature="
	mac := hmac.New(sha256.New, []byte("secret"))
	_, _ = fmt.Fprintf(mac, "%s\n%s\n%s\n%s", a.school, id, name, expires)
	signature := strings.ReplaceAll(a.school, "-", "") + hex.EncodeToString(mac.Sum(nil))
	is.Equal(a.from(client, "", "GET", link+"wrong").Code, 403)
	is.Equal(a.from(client, "", "GET", link+"wrong").Code, 429)
	is.Equal(a.from(client, "", "GET", link+signature).Code, 404) // the submission does not exist
}
