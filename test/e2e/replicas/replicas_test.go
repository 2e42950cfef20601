package replicas_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
)

func TestReplicas(t *testing.T) {
	w := newWorld(t)
	used := func() bool { return w.stale("/v2/categories").age >= 0 }
	time.Sleep(maxAge) // from now on, no replica that is used lacks the demo school
	w.waitFor("a replica is used", used)

	t.Run("exports, analytics and lists that ask are served by replicas", func(t *testing.T) {
		for path, stale := range map[string]bool{
			"/v2/export": false, "/v2/analytics/courses": false, "/v2/analytics/quiz_scores": false, "/v2/people": true, "/v2/people?q=a": true,
			"/v2/courses?include=categories": true, "/v2/events": true,
		} {
			a := w.send(http.MethodGet, path, w.otherKey, "", stale)
			if a.status != http.StatusOK || a.age < 0 || a.age > maxAge {
				t.Errorf("%s: age %s: %d %.200s", path, a.age, a.status, a.body)
			}
			fromPrimary := w.send(http.MethodGet, path, demo.Key, "", false)
			if a.body != fromPrimary.body {
				t.Errorf("%s: a replica returned %.300s, the primary %.300s", path, a.body, fromPrimary.body)
			}
		}
	})
	t.Run("everything else is served by the primary", func(t *testing.T) {
		is := is.New(t)
		for path, stale := range map[string]bool{
			"/v2/people": false, "/v2/export?ids=true": true, "/v2/changes?limit=1": true, "/v2/school": true, "/v2/courses?limit=1": false,
		} {
			a := w.send(http.MethodGet, path, w.otherKey, "", stale)
			is.Equal(a.status, http.StatusOK)
			if a.age >= 0 {
				t.Errorf("%s has the age %s", path, a.age)
			}
		}
	})
	t.Run("the client limits the age", func(t *testing.T) {
		is := is.New(t)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.url+"/v2/people", nil)
		is.NoErr(err)
		req.Header.Set("X-Api-Key", w.otherKey)
		req.Header.Set("Cache-Control", "no-transform, max-stale=0")
		resp, err := http.DefaultClient.Do(req)
		is.NoErr(err)
		is.NoErr(resp.Body.Close())
		is.Equal(resp.Header.Get("Age"), "") // no replica is that fresh
	})
	t.Run("a replica that is late is not used, and a key reads its own writes", func(t *testing.T) {
		is := is.New(t)
		w.on(0, `SELECT pg_wal_replay_pause()`)
		w.on(1, `SELECT pg_wal_replay_pause()`)
		w.create("Late")
		has := func(a answer) bool { return strings.Contains(a.body, `"name":"Late"`) }
		a := w.stale("/v2/categories")
		is.True(a.age >= 0 && !has(a)) // the replica does not have the category yet
		own := w.send(http.MethodGet, "/v2/categories", demo.Key, "", true)
		is.True(own.age < 0 && has(own)) // the key that has written it reads from the primary
		w.waitFor("the replicas are late", func() bool { return !used() })
		is.True(has(w.stale("/v2/categories")))
		w.on(0, `SELECT pg_wal_replay_resume()`)
		w.on(1, `SELECT pg_wal_replay_resume()`)
		w.waitFor("the replicas are used again", used)
		is.True(has(w.stale("/v2/categories")))
	})
	t.Run("the share of the replicas", func(t *testing.T) {
		is := is.New(t)
		const rounds = 60
		before := w.transactions()
		served := 0
		for range rounds {
			for path, stale := range map[string]bool{"/v2/people": true, "/v2/analytics/courses": false, "/v2/courses": true, "/v2/school": false} {
				a := w.send(http.MethodGet, path, w.otherKey, "", stale)
				is.Equal(a.status, http.StatusOK)
				if a.age >= 0 {
					served++
				}
			}
		}
		is.Equal(served, 3*rounds)
		var n [3]int
		w.waitFor("both replicas take turns", func() bool { // Postgres reports its statistics with a delay
			for i, now := range w.transactions() {
				n[i] = now - before[i]
			}
			return n[1] > rounds && n[2] > rounds
		})
		t.Logf("%d of %d requests were served by replicas; transactions of the primary and the replicas: %v", served, 4*rounds, n)
	})
	t.Run("a replica that is away fails no request", func(t *testing.T) {
		is := is.New(t)
		w.replicas[0].Stop()
		for range 20 {
			is.Equal(w.stale("/v2/people").status, http.StatusOK)
		}
		is.Equal(w.send(http.MethodGet, "/v2/export", w.otherKey, "", false).status, http.StatusOK)
		is.True(used()) // the other replica
		w.replicas[1].Stop()
		for i := range 20 {
			is.Equal(w.stale(fmt.Sprintf("/v2/people?page=%d", 1+i%2)).status, http.StatusOK)
		}
		is.True(!used())
		is.NoErr(w.replicas[0].Restart(t.Context()))
		w.waitFor("the replica is used again", used)
	})
}
