package concurrency_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/cmd/server"
	"lyceum/domain/change"
	"lyceum/test/kit"
)

// TestCopy replays random histories of a school on both stores. A reader that follows the change
// feed from its beginning, while several clients write, then has exactly the records of the school.
func TestCopy(t *testing.T) {
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		cfg := server.Defaults()
		cfg.Files.Dir = t.TempDir()
		s := serve(t, cfg, 1)
		checkCopy(t, s, s)
	})
	t.Run("two servers on postgres", func(t *testing.T) {
		t.Parallel()
		cfg := sharedConfig(t)
		checkCopy(t, serve(t, cfg, 1), serve(t, cfg, 1))
	})
}

func checkCopy(t *testing.T, servers ...*server.Server) {
	t.Helper()
	is := is.New(t)
	_, key, err := kit.Import(t.Context(), servers[0].App(), demo.School)
	is.NoErr(err)
	clients := make([]schoolClient, len(servers))
	for i, s := range servers {
		clients[i] = schoolClient{t, s.URL(), key}
	}
	before := clients[0].records()

	var writers sync.WaitGroup
	for n := range 4 {
		h := newHistory(clients[n%2], n, before)
		writers.Go(func() {
			for range 60 {
				h.step()
			}
		})
	}
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()

	f := follower{records{}, map[string]bool{}, "/v2/changes?wait=1&limit=90&include=record"}
	for turn, written := 0, false; !written; turn++ {
		select {
		case <-done:
			written = true
		default:
			f.step(clients[turn%2])
		}
	}
	var want records
	for range 30 { // the workers still remove the contents of deleted courses
		f.step(clients[0])
		want = clients[1].records()
		clients[1].addArchived(want, f.copied)
		if maps.Equal(f.copied, want) {
			break
		}
	}
	for name, content := range want {
		if got := f.copied[name]; got != content {
			t.Errorf("%s\n got %s\nwant %s", name, got, content)
		}
	}
	for name := range f.copied {
		if _, ok := want[name]; !ok {
			t.Errorf("the copy still has %s", name)
		}
	}
	for _, of := range change.Types() {
		if !f.types[of] {
			t.Errorf("the history does not change records of the type %s", of)
		}
	}
}

// follower keeps a copy of a school as docs/change-feed.md describes.
type follower struct {
	copied records
	types  map[string]bool // of the changed records
	next   string          // address of the next page
}

// step applies one page of changes.
func (f *follower) step(c schoolClient) {
	var page struct {
		Data []struct {
			Attributes    struct{ Action string }
			Relationships struct{ Record struct{ Data resource } }
		}
		Included []resource
		Links    struct{ Next string }
	}
	c.read(f.next, &page)
	for _, one := range page.Data {
		of := one.Relationships.Record.Data
		f.types[of.Type] = true
		if one.Attributes.Action == "deleted" {
			delete(f.copied, of.name())
		}
	}
	for _, r := range page.Included {
		f.copied[r.name()] = c.content(r)
	}
	f.next = page.Links.Next[strings.Index(page.Links.Next, "/v2/"):]
}

// records contains the content of records, by type and id.
type records map[string]string

// derived are the attributes that a record takes from other records: counters, and the names of the
// course, activity and quiz of an answer. The feed does not follow them.
var derived = []string{
	"course_count", "group_count", "enrollments_count", "membership_count", "usages_count",
	"course_name", "activity_title", "quiz_name",
}

type resource struct {
	Type, ID   string
	Attributes map[string]any
}

func (r resource) name() string { return r.Type + "/" + r.ID }

// schoolClient sends requests to one server with the key of one school.
type schoolClient struct {
	t        *testing.T
	url, key string
}

// send returns the status and the body of the response. The test fails if the server fails.
func (c schoolClient) send(method, target, contentType, body string) (int, []byte) {
	request, err := http.NewRequestWithContext(c.t.Context(), method, c.url+target, strings.NewReader(body))
	if err != nil {
		c.t.Error(err)
		return 0, nil
	}
	request.Header.Set("X-Api-Key", c.key)
	request.Header.Set("Content-Type", contentType)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		c.t.Error(err)
		return 0, nil
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= 500 {
		c.t.Errorf("%s %s: %s %s %v", method, target, response.Status, text, err)
	}
	return response.StatusCode, text
}

// read decodes the document at the target.
func (c schoolClient) read(target string, document any) {
	status, text := c.send(http.MethodGet, target, asJSON, "")
	if err := json.Unmarshal(text, document); err != nil || status != http.StatusOK {
		c.t.Fatalf("%s: %d %s", target, status, text)
	}
}

// content returns the attributes of r without the derived ones, without the URL of the server, and
// without properties that have no value: each definition adds one to every record.
func (c schoolClient) content(r resource) string {
	for _, name := range derived {
		delete(r.Attributes, name)
	}
	if r.Type == "enrollments" {
		delete(r.Attributes, "progress") // computed from the completions
	}
	if properties, ok := r.Attributes["properties"].(map[string]any); ok {
		maps.DeleteFunc(properties, func(_ string, value any) bool { return value == nil })
	}
	text, err := json.Marshal(r.Attributes)
	if err != nil {
		c.t.Error(err)
	}
	return strings.ReplaceAll(string(text), c.url, "")
}

// records returns all records of the school that the change feed contains.
func (c schoolClient) records() records {
	all := records{}
	add := func(target string) (ids []string) {
		var list struct {
			Data  []resource
			Links struct{ Next string }
		}
		c.read(target+"?limit=1000", &list)
		if list.Links.Next != "" {
			c.t.Fatalf("%s has more than one page", target)
		}
		for _, r := range list.Data {
			all[r.name()] = c.content(r)
			ids = append(ids, r.ID)
		}
		return ids
	}
	for _, path := range []string{
		"people", "categories", "activities", "assignments", "quizzes", "submissions", "activity_completions",
		"quiz_attempts", "analytics/quiz_raw_answers", "partnerships", "property_definitions",
	} {
		add("/v2/" + path)
	}
	for parents, children := range map[string]string{"courses": "enrollments", "groups": "memberships", "coupons": "redemptions"} {
		for _, id := range add("/v2/" + parents) {
			add(fmt.Sprintf("/v2/%s/%s/%s", parents, id, children))
		}
	}
	var school struct{ Data resource }
	c.read("/v2/school", &school)
	all[school.Data.name()] = c.content(school.Data)
	return all
}

// addArchived adds the activities among the copied records that the lists leave out, because they
// were removed from their course and learners have used them.
func (c schoolClient) addArchived(all, copied records) {
	for name := range copied {
		if _, listed := all[name]; listed || !strings.HasPrefix(name, "activities/") {
			continue
		}
		var one struct{ Data resource }
		status, text := c.send(http.MethodGet, "/v2/"+name, asJSON, "")
		if err := json.Unmarshal(text, &one); err == nil && status == http.StatusOK {
			all[name] = c.content(one.Data)
		}
	}
}
