package concurrency_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/cmd/server"
	"lyceum/test/kit"
)

// A reader that follows the change feed alternately on two servers gets each change once and in
// order, while clients of both servers write and while slow transactions end with a commit or a
// rollback. A transaction of another school does not delay the feed.
func TestFollowerOnTwoServers(t *testing.T) {
	t.Parallel()
	is := is.New(t)
	cfg := sharedConfig(t)
	servers := []*server.Server{serve(t, cfg, 0), serve(t, cfg, 0)}
	_, secret, err := kit.School{Name: "Acme"}.Import(t.Context(), servers[0].App())
	is.NoErr(err)
	_, foreign, err := kit.School{Name: "Other"}.Import(t.Context(), servers[0].App())
	is.NoErr(err)
	send := func(s *server.Server, key, method, target, body string) []byte {
		r, err := http.NewRequestWithContext(t.Context(), method, s.URL()+target, strings.NewReader(body))
		is.NoErr(err)
		r.Header.Set("X-Api-Key", key)
		w, err := http.DefaultClient.Do(r)
		is.NoErr(err)
		defer func() { _ = w.Body.Close() }()
		text, err := io.ReadAll(w.Body)
		is.NoErr(err)
		if w.StatusCode >= 300 {
			t.Errorf("%s %s: %s %s", method, target, w.Status, text)
		}
		return text
	}
	create := func(s *server.Server, key, name string) {
		send(s, key, http.MethodPost, "/v2/categories", `{"data":{"type":"categories","attributes":{"name":"`+name+`"}}}`)
	}
	type page struct {
		Data  []struct{ ID string }
		Links struct{ Next string }
	}
	read := func(s *server.Server, target string) (p page) {
		is.NoErr(json.Unmarshal(send(s, secret, http.MethodGet, target, ""), &p))
		return p
	}
	create(servers[0], secret, "slow")
	create(servers[0], foreign, "long")

	db, err := sql.Open("postgres", cfg.Postgres.DSN)
	is.NoErr(err)
	defer func() { _ = db.Close() }()
	// hold updates a category in a transaction that stays open during wait.
	hold := func(name string, wait func(), end func(*sql.Tx) error) {
		tx, err := db.BeginTx(t.Context(), nil)
		is.NoErr(err)
		_, err = tx.ExecContext(t.Context(), `UPDATE categories SET updated_at = clock_timestamp() WHERE name = $1`, name)
		is.NoErr(err)
		wait()
		is.NoErr(end(tx))
	}
	var others, writers sync.WaitGroup
	caughtUp := make(chan struct{})
	others.Go(func() { hold("long", func() { <-caughtUp }, (*sql.Tx).Rollback) })
	for i, s := range servers {
		for n := range 2 {
			writers.Go(func() {
				for k := range 30 {
					create(s, secret, fmt.Sprintf("%d %d %d", i, n, k))
				}
			})
		}
	}
	writers.Go(func() {
		second := func() { time.Sleep(time.Second) }
		hold("slow", second, (*sql.Tx).Commit)
		hold("slow", second, (*sql.Tx).Rollback)
		hold("slow", second, (*sql.Tx).Commit)
	})
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()
	var followed []string
	target := "/v2/changes?wait=1&limit=7"
	for turn, final := 0, false; ; turn++ {
		select {
		case <-done:
			final = true
		default:
		}
		p := read(servers[turn%2], target)
		for _, c := range p.Data {
			followed = append(followed, c.ID)
		}
		if final && len(p.Data) == 0 {
			break
		}
		target = p.Links.Next[strings.Index(p.Links.Next, "/v2/"):]
	}
	var all []string
	for _, c := range read(servers[0], "/v2/changes?limit=1000").Data {
		all = append(all, c.ID)
	}
	close(caughtUp)
	others.Wait()
	is.Equal(followed, all)
	is.True(len(all) >= 123) // 121 categories and two updates, although the long transaction was open
}
