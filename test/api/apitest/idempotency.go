package apitest

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/school"
)

// idempotency checks repeated POST requests with the same Idempotency-Key.
func idempotency(t *testing.T, s *server) {
	const groups = "/v2/groups"
	group := func(name string) string { return `{"data":{"type":"groups","attributes":{"name":"` + name + `"}}}` }
	post := func(path, key, body string) *call {
		return s.request("POST", path).with(body).set("Idempotency-Key", key)
	}
	count := func(name string) int { return strings.Count(s.get(t, groups+"?limit=1000").body, `"name":"`+name+`"`) }
	same := func(is *is.I, first, again response) {
		is.Helper()
		is.Equal(first.header.Get("Idempotent-Replayed"), "")
		is.Equal(again.header.Get("Idempotent-Replayed"), "true")
		is.Equal(again.status, first.status)
		is.Equal(again.body, first.body)
		for _, name := range []string{"Location", "Content-Type", "ETag", "Cache-Control", "Content-Length"} {
			is.Equal(again.header.Get(name), first.header.Get(name))
		}
	}

	t.Run("a retry gets the recorded response for 24 hours", func(t *testing.T) {
		is := is.New(t)
		first := post(groups, "a day", group("Once")).send(t)
		is.Equal(first.status, 201)
		s.clock.Advance(24*time.Hour - time.Minute)
		same(is, first, post(groups, "a day", group("Once")).send(t))
		s.clock.Advance(time.Minute)
		is.Equal(post(groups, "a day", group("Once")).send(t).status, 422) // the request is executed and fails, because the name is taken
		is.Equal(count("Once"), 1)
	})

	t.Run("a retry gets the recorded response after the record was deleted", func(t *testing.T) {
		is := is.New(t)
		first := post(groups, "gone", group("Gone")).send(t)
		is.Equal(s.send(t, "DELETE", groups+"/"+first.id(t), "").status, 204)
		same(is, first, post(groups, "gone", group("Gone")).send(t))
		is.Equal(count("Gone"), 0)
	})

	t.Run("a retry is 409 after the person in the response was deleted", func(t *testing.T) {
		is := is.New(t)
		const erased = `{"errors":[{"status":"409","title":"Conflict","detail":"The recorded response to this Idempotency-Key ` +
			`was deleted because it referred to a person who has been deleted","source":{"header":"Idempotency-Key"}}]}`
		body := `{"data":{"attributes":{"email":"erased@example.test"}}}`
		first := post("/v2/people", "erased", body).send(t)
		is.Equal(first.status, 201)
		is.Equal(s.send(t, "DELETE", "/v2/people/"+first.id(t), "").status, 204)
		for range 2 {
			again := post("/v2/people", "erased", body).send(t)
			is.Equal(again.status, 409)
			is.Equal(again.body, erased)
		}
		is.Equal(s.get(t, "/v2/people?filter[email][eq]=erased@example.test").ids(t), "") // the request is not executed again
		s.clock.Advance(24 * time.Hour)
		is.Equal(post("/v2/people", "erased", body).send(t).status, 201)
	})

	for name, path := range map[string]struct{ path, body string }{
		"categories":   {"/v1/categories", `{"data":{"type":"categories","attributes":{"name":"Kept"}}}`},
		"learners":     {"/v1/learners", `{"data":{"type":"learners","attributes":{"email":"kept@example.test"}}}`},
		"people":       {"/v2/people", `{"data":{"attributes":{"email":"kept2@example.test"}}}`},
		"bulk groups":  {"/v1/bulk/groups", `{"data":{"type":"bulk","attributes":{"groups":[{"name":"Bulk"}]}}}`},
		"bulk people":  {"/v2/bulk/people", `{"data":{"type":"bulk","attributes":{"people":[{"email":"b@example.test"}]}}}`},
		"a coupon":     {"/v2/coupons/" + earlyBird, `{"data":{"attributes":{"maximum_usages":77}}}`},
		"activation":   {"/v1/coupons/" + earlyBird + "/activation", ``},
		"enrollment":   {"/v1/people/" + grace + "/relationships/courses", `{"data":[{"type":"enrolled-courses","id":"` + singing + `"}]}`},
		"membership":   {"/v1/people/" + grace + "/relationships/groups", `{"data":[{"type":"membership-groups","id":"` + singers + `"}]}`},
		"group people": {"/v2/groups/" + singers + "/relationships/people", `{"data":[{"type":"people","id":"` + ada + `"}]}`},
	} {
		t.Run("works for "+name, func(t *testing.T) {
			is := is.New(t)
			first := post(path.path, "every", path.body).send(t)
			is.True(first.status < 300)
			same(is, first, post(path.path, "every", path.body).send(t))
		})
	}

	t.Run("another request under the key is 422", func(t *testing.T) {
		is := is.New(t)
		is.Equal(post(groups, "taken", group("First")).send(t).status, 201)
		want := []string{"422 Idempotency-Key This Idempotency-Key was already used for a different request"}
		is.Equal(post(groups, "taken", group("Second")).send(t).failures(t), want)
		is.Equal(post(groups, "taken", group("First")+" ").send(t).failures(t), want)
		is.Equal(post(groups+"?x=1", "taken", group("First")).send(t).failures(t), want)
		is.Equal(post(groups, "taken", group("First")).set("Content-Type", "application/json").send(t).failures(t), want)
		is.Equal(count("Second"), 0)
	})

	t.Run("the API key is not part of the fingerprint", func(t *testing.T) {
		is := is.New(t)
		first := post(groups, "either", group("Either")).send(t)
		same(is, first, post(groups+"?api_key="+s.key, "either", group("Either")).send(t))
		same(is, first, post(groups, "either", group("Either")).as(s.newKey(t, school.Write)).send(t))
	})

	t.Run("other paths and other schools have separate keys", func(t *testing.T) {
		is := is.New(t)
		is.Equal(post(groups, "own", group("Theirs and ours")).send(t).status, 201)
		is.Equal(post("/v1/groups", "own", group("Under v1")).send(t).status, 201)
		is.Equal(post(groups, "own", group("Other tenant's")).as(s.otherTenantKey).send(t).status, 201)
	})

	t.Run("rejected requests are not recorded", func(t *testing.T) {
		is := is.New(t)
		is.Equal(post(groups, "refused", group("")).send(t).status, 422)
		is.Equal(post(groups, "refused", `{"data":{"type":"x","attributes":{"name":"Refused"}}}`).send(t).status, 409)
		is.Equal(post(groups, "refused", `{`).send(t).status, 400)
		is.Equal(count("Refused"), 0)
		first := post(groups, "refused", group("Refused")).send(t)
		is.Equal(first.status, 201)
		same(is, first, post(groups, "refused", group("Refused")).send(t))
	})

	t.Run("a malformed key is 400", func(t *testing.T) {
		want := []string{"400 Idempotency-Key Idempotency-Key must be a single value of 1 to 255 printable ASCII characters"}
		for name, keys := range map[string][]string{
			"empty": {""}, "too long": {strings.Repeat("x", 256)}, "not ASCII": {"ä"}, "a tab": {"a\tb"}, "two": {"a", "a"},
		} {
			t.Run(name, func(t *testing.T) {
				is := is.New(t)
				c := s.request("POST", groups).with(group("Malformed"))
				for _, k := range keys {
					c.set("Idempotency-Key", k)
				}
				is.Equal(c.send(t).failures(t), want)
				is.Equal(count("Malformed"), 0)
			})
		}
		is := is.New(t)
		is.Equal(post(groups, strings.Repeat("x", 255), group("Long key")).send(t).status, 201)
	})

	t.Run("other methods ignore the header", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.request("GET", groups).set("Idempotency-Key", "").send(t).status, 200)
	})

	t.Run("concurrent retries create one record and get one response", func(t *testing.T) {
		const many = 64
		is := is.New(t)
		answers := make([]response, many)
		var wg sync.WaitGroup
		for i := range many {
			wg.Go(func() { answers[i] = post(groups, "race", group("Race")).send(t) })
		}
		wg.Wait()
		firsts := 0
		for _, a := range answers {
			is.Equal(a.status, 201)
			is.Equal(a.body, answers[0].body)
			is.Equal(a.header.Get("Location"), answers[0].header.Get("Location"))
			if a.header.Get("Idempotent-Replayed") == "" {
				firsts++
			}
		}
		is.Equal(firsts, 1)
		is.Equal(count("Race"), 1)
	})

	t.Run("a secret is shown once, and a retry names its record", func(t *testing.T) {
		is := is.New(t)
		old := post("/v2/api_keys", "of the old one", `{"data":{"attributes":{"name":"Once shown","scope":"read"}}}`).send(t)
		for path, body := range map[string]string{
			"/v2/api_keys": `{"data":{"attributes":{"name":"Once shown","scope":"read"}}}`,
			"/v2/api_keys/" + old.id(t) + "/rotation": ``,
		} {
			before := strings.Count(s.get(t, "/v2/api_keys?limit=1000").body, `"Once shown"`)
			first := post(path, "shown", body).send(t)
			is.Equal(first.status, 201)
			is.Equal(first.header.Get("Cache-Control"), "no-store")
			is.True(strings.Contains(first.body, `"secret":"lyc_`))
			for _, key := range []string{s.key, s.newKey(t, school.Admin)} {
				again := post(path, "shown", body).as(key).send(t)
				is.Equal(again.status, 409)
				is.Equal(again.header.Get("Location")+again.header.Get("Idempotent-Replayed"), "")
				is.Equal(again.body, `{"errors":[{"status":"409","title":"Conflict","detail":"The first response to this Idempotency-Key `+
					`contained a secret that is not shown again","source":{"header":"Idempotency-Key"},`+
					`"meta":{"original":{"type":"api_keys","uuid":"`+first.id(t)+`"}}}]}`)
			}
			is.Equal(strings.Count(s.get(t, "/v2/api_keys?limit=1000").body, `"Once shown"`), before+1)
		}
	})

	t.Run("different keys create different records", func(t *testing.T) {
		is := is.New(t)
		for i := range 3 {
			is.Equal(post(groups, fmt.Sprint("n", i), group(fmt.Sprint("Numbered ", i))).send(t).status, 201)
		}
	})
}
