package apitest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
)

const changesPath = "/v2/changes"

// change is a row of the change feed.
type change struct {
	ID         string
	Attributes struct {
		Action    string
		ChangedAt string `json:"changed_at"`
	}
	Relationships struct {
		Record struct{ Data struct{ Type, ID string } }
	}
}

type changeList struct {
	Data     []change
	Included []identified
	Links    struct{ Next string }
}

// String returns the action and the type of the record.
func (c change) String() string { return c.Attributes.Action + " " + c.Relationships.Record.Data.Type }

// changesAfter returns the changes whose ids are greater than last. It appends parameters to the
// query.
func (s *server) changesAfter(t *testing.T, last, parameters string) changeList {
	t.Helper()
	return parse[changeList](t, s.get(t, "/v2/changes?limit=1000&filter[uuid][gt]="+last+parameters).body)
}

func (s *server) lastChange(t *testing.T) string {
	t.Helper()
	page := parse[changeList](t, s.get(t, "/v2/changes?limit=1&sort=-id").body)
	return page.Data[0].ID
}

// changes checks the change feed.
func changes(t *testing.T, s *server) {
	t.Run("records that are created, updated and deleted appear in order", func(t *testing.T) {
		is := is.New(t)
		start := s.lastChange(t)
		made := s.send(t, "POST", "/v2/categories", `{"data":{"type":"categories","attributes":{"name":"Fed"}}}`)
		is.Equal(made.status, 201)
		path := "/v2/categories/" + made.id(t)
		for _, name := range []string{"Fed again", "Fed again"} { // the second request changes nothing
			is.Equal(s.send(t, "PATCH", path, `{"data":{"type":"categories","attributes":{"name":"`+name+`"}}}`).status, 200)
		}
		with := s.changesAfter(t, start, "&include=record")
		is.Equal(len(with.Included), 1)
		is.Equal(with.Included[0].ID, made.id(t))
		is.Equal(s.send(t, "DELETE", path, "").status, 204)
		got := s.changesAfter(t, start, "&include=record")
		is.Equal(len(got.Data), 3)
		for i, want := range []string{"created categories", "updated categories", "deleted categories"} {
			is.Equal(got.Data[i].String(), want)
			is.Equal(got.Data[i].Relationships.Record.Data.ID, made.id(t))
			at, err := time.Parse(time.RFC3339, got.Data[i].Attributes.ChangedAt)
			is.NoErr(err)
			is.True(time.Since(at) < time.Hour)
		}
		is.Equal(len(got.Included), 0) // the record does not exist any longer
		one := s.changesAfter(t, start, "&filter[action][eq]=updated&filter[record.type][in][]=categories&filter[record.type][in][]=people")
		is.Equal(len(one.Data), 1)
		is.Equal(len(s.changesAfter(t, start, "&filter[record.id][eq]="+made.id(t)).Data), 3)
		is.Equal(len(s.changesAfter(t, start, "&filter[changed_at][gteq]=9999-01-01").Data), 0)
	})

	t.Run("a reader that follows next sees every change once, and each type of record can be included", func(t *testing.T) {
		is := is.New(t)
		all := parse[changeList](t, s.get(t, "/v2/changes?limit=1000").body).Data
		var seen []change
		found := map[string]bool{}
		for at := "/v2/changes?limit=40&include=record"; at != ""; {
			page := parse[changeList](t, s.get(t, at).body)
			seen = append(seen, page.Data...)
			for _, r := range page.Included {
				found[r.Type] = true
			}
			at = strings.TrimPrefix(page.Links.Next, base)
		}
		is.Equal(seen, all)
		for _, c := range all {
			if c.Attributes.Action == "created" {
				is.True(found[c.Relationships.Record.Data.Type])
			}
		}
	})

	t.Run("a follower waits for changes, and continues after the last one", func(t *testing.T) {
		is := is.New(t)
		read := func(target string) changeList {
			return parse[changeList](t, s.get(t, strings.TrimPrefix(target, base)).body)
		}
		page := read("/v2/changes?wait=0&limit=1000&filter[record.type][in][]=categories")
		is.True(len(page.Data) > 0)
		var names [2]string
		for i := range names {
			is.Equal(len(read(page.Links.Next).Data), 0)
			names[i] = s.send(t, "POST", "/v2/categories", fmt.Sprintf(`{"data":{"type":"categories","attributes":{"name":"Followed %d"}}}`, i)).id(t)
			page = read(strings.Replace(page.Links.Next, "wait=0", "wait=1", 1))
			is.Equal(len(page.Data), 1)
			is.Equal(page.Data[0].Relationships.Record.Data.ID, names[i])
			page.Links.Next = strings.Replace(page.Links.Next, "wait=1", "wait=0", 1)
		}
		began := time.Now()
		page = read(strings.Replace(page.Links.Next, "wait=0", "wait=1", 1))
		is.Equal(len(page.Data), 0)
		is.True(time.Since(began) >= time.Second)
		is.True(page.Links.Next != "")
		is.Equal(read("/v2/changes?limit=1000").Links.Next, "") // the list ends for clients that do not wait
	})

	t.Run("a reader can start after a position", func(t *testing.T) {
		is := is.New(t)
		actor, err := s.app.Auth.Authenticate(t.Context(), s.key)
		is.NoErr(err)
		feed, err := s.app.Changes.Feed(t.Context(), actor)
		is.NoErr(err)
		made := s.send(t, "POST", "/v2/categories", `{"data":{"type":"categories","attributes":{"name":"After"}}}`)
		page := s.changesAfter(t, "0", "&after="+feed.Last().String())
		is.Equal(len(page.Data), 1)
		is.Equal(page.Data[0].Relationships.Record.Data.ID, made.id(t))
		feed.Store[0]++
		other := s.get(t, "/v2/changes?after="+feed.Last().String())
		is.Equal(other.status, 410)
		is.True(strings.Contains(other.body, "belongs to an earlier state of the database"))
		for _, wrong := range []string{"after=x", "after=" + feed.Last().String() + "&sort=id", "wait=61", "wait=-1", "wait=x", "wait=1&sort=id"} {
			is.Equal(s.get(t, "/v2/changes?"+wrong).status, 400)
		}
	})

	t.Run("a cursor that continues after deleted changes is 410", func(t *testing.T) {
		is := is.New(t)
		first := parse[changeList](t, s.get(t, "/v2/changes?limit=2").body)
		next := strings.TrimPrefix(first.Links.Next, base)
		is.Equal(s.get(t, next).status, 200)
		s.app.Changes.KeepFor(0) // forever
		more, err := s.app.Changes.Sweep(t.Context())
		is.NoErr(err)
		is.True(!more)
		is.Equal(s.get(t, next).status, 200)
		s.app.Changes.KeepFor(-100 * 365 * 24 * time.Hour) // negative: all changes have expired
		for more := true; more; {
			var err error
			more, err = s.app.Changes.Sweep(t.Context())
			is.NoErr(err)
		}
		gone := s.get(t, next)
		is.Equal(gone.status, 410)
		is.True(strings.Contains(gone.body, "is older than the changes that are kept"))
		var empty struct{ Data []json.RawMessage }
		is.NoErr(json.Unmarshal([]byte(s.get(t, "/v2/changes").body), &empty))
		is.Equal(len(empty.Data), 0) // a reader without a cursor begins with the oldest change
	})
}
