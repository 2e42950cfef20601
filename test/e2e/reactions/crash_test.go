// Package reactions_test tests that reactions miss no change when servers are killed.
package reactions_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/app/reactions"
	"lyceum/cmd/cli"
	"lyceum/cmd/server"
	"lyceum/test/kit/pgtest"
)

// recordFile is the environment variable with the name of the file to which the reaction of a server
// process writes.
const recordFile = "REACTIONS_TEST_FILE"

// TestMain runs the tests or, in the processes that the tests start, the command line with a
// reaction.
func TestMain(m *testing.M) {
	if name := os.Getenv(recordFile); name != "" {
		cli.Main(server.WithReaction("record", []string{"categories"}, record(name)))
	}
	pgtest.Main(m)
}

// record returns a reaction that writes the ID of the record as a line of a file. It takes so long
// that some of its calls are interrupted.
func record(name string) reactions.Func {
	return func(_ context.Context, n reactions.Notification) error {
		time.Sleep(20 * time.Millisecond)
		f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		_, err = fmt.Fprintln(f, n.Change.Record.ID)
		return err
	}
}

// Two servers on one database are killed again and again while clients create categories. The
// reaction records each category whose creation was acknowledged.
func TestReactionsSurviveKills(t *testing.T) {
	is := is.New(t)
	name := filepath.Join(t.TempDir(), "recorded")
	env := append(os.Environ(), recordFile+"="+name,
		"LYCEUM_STORE=postgres", "LYCEUM_DATABASE_URL="+pgtest.Fresh(t), "LYCEUM_DATABASE_POOL_SIZE=4",
		"LYCEUM_WORKER_POLL=100ms", "LYCEUM_FILES_DIR="+t.TempDir())
	command(t, env, "migrate")
	command(t, env, "school", "create", "--name", "Acme")
	key := command(t, env, "key", "create", "--school", "Acme")

	var created sync.Map // IDs
	var servers sync.WaitGroup
	for _, of := range []string{"first", "second"} {
		s := start(t, append(env[:len(env):len(env)], "LYCEUM_SERVER_NAME="+of))
		servers.Go(func() {
			for life := range 4 {
				ctx, end := context.WithCancel(t.Context())
				url := s.url
				var client sync.WaitGroup
				begun := make(chan struct{}) // closed after ten requests
				client.Go(func() {
					for n := 0; ctx.Err() == nil; n++ {
						if n == 10 {
							close(begun)
						}
						if id := create(ctx, url, key, fmt.Sprintf("%s %d %d", of, life, n)); id != "" {
							created.Store(id, true)
						}
					}
				})
				<-begun
				time.Sleep(200 * time.Millisecond)
				s.restart(t)
				end()
				client.Wait()
			}
		})
	}
	servers.Wait()

	ids, recorded := 0, map[string]bool{}
	created.Range(func(any, any) bool { ids++; return true })
	is.True(ids > 50)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		text, err := os.ReadFile(name)
		is.NoErr(err)
		for id := range strings.FieldsSeq(string(text)) {
			recorded[id] = true
		}
		missing := 0
		created.Range(func(id, _ any) bool {
			if !recorded[id.(string)] {
				missing++
			}
			return true
		})
		if missing == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d categories are not recorded", missing, ids)
		}
	}
}

// create creates a category and returns its ID, or "" if the response is not 201.
func create(ctx context.Context, url, key, name string) string {
	body := `{"data":{"type":"categories","attributes":{"name":"` + name + `"}}}`
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v2/categories", strings.NewReader(body))
	if err != nil {
		return ""
	}
	r.Header.Set("Authorization", "Bearer "+key)
	r.Header.Set("Content-Type", "application/vnd.api+json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return ""
	}
	defer func() { _ = response.Body.Close() }()
	var document struct{ Data struct{ ID string } }
	if response.StatusCode != http.StatusCreated || json.NewDecoder(response.Body).Decode(&document) != nil {
		return ""
	}
	return document.Data.ID
}
