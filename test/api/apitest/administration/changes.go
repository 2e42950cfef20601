package administration

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

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
	Included []fixture.Identified
	Links    struct{ Next string }
}

// String returns the action and the type of the record.
func (c change) String() string { return c.Attributes.Action + " " + c.Relationships.Record.Data.Type }

// changesAfter returns the changes whose ids are greater than last. It appends parameters to the
// query.
func changesAfter(t *testing.T, s *fixture.Server, last, parameters string) changeList {
	t.Helper()
	return fixture.Parse[changeList](t, s.Get(t, "/v2/changes?limit=1000&filter[uuid][gt]="+last+parameters).Body)
}

func lastChange(t *testing.T, s *fixture.Server) string {
	t.Helper()
	page := fixture.Parse[changeList](t, s.Get(t, "/v2/changes?limit=1&sort=-id").Body)
	return page.Data[0].ID
}

// Changes checks the change feed.
func Changes(t *testing.T, s *fixture.Server) {
	t.Run("records that are created, updated and deleted appear in order", func(t *testing.T) {
		is := is.New(t)
		start := lastChange(t, s)
		made := s.Send(t, "POST", "/v2/categories", `{"data":{"type":"categories","attributes":{"name":"Fed"}}}`)
		is.Equal(made.Status, 201)
		path := "/v2/categories/" + made.ID(t)
		for _, name := range []string{"Fed again", "Fed again"} { // the second request changes nothing
			is.Equal(s.Send(t, "PATCH", path, `{"data":{"type":"categories","attributes":{"name":"`+name+`"}}}`).Status, 200)
		}
		with := changesAfter(t, s, start, "&include=record")
		is.Equal(len(with.Included), 1)
		is.Equal(with.Included[0].ID, made.ID(t))
		is.Equal(s.Send(t, "DELETE", path, "").Status, 204)
		got := changesAfter(t, s, start, "&include=record")
		is.Equal(len(got.Data), 3)
		for i, want := range []string{"created categories", "updated categories", "deleted categories"} {
			is.Equal(got.Data[i].String(), want)
			is.Equal(got.Data[i].Relationships.Record.Data.ID, made.ID(t))
			at, err := time.Parse(time.RFC3339, got.Data[i].Attributes.ChangedAt)
			is.NoErr(err)
			is.True(time.Since(at) < time.Hour)
		}
		is.Equal(len(got.Included), 0) // the record does not exist any longer
		one := changesAfter(t, s, start, "&filter[action][eq]=updated&filter[record.type][in][]=categories&filter[record.type][in][]=people")
		is.Equal(len(one.Data), 1)
		is.Equal(len(changesAfter(t, s, start, "&filter[record.id][eq]="+made.ID(t)).Data), 3)
		is.Equal(len(changesAfter(t, s, start, "&filter[changed_at][gteq]=9999-01-01").Data), 0)
	})

	t.Run("a reader that follows next sees every change once, and each type of record can be included", func(t *testing.T) {
		is := is.New(t)
		all := fixture.Parse[changeList](t, s.Get(t, "/v2/changes?limit=1000").Body).Data
		var seen []change
		found := map[string]bool{}
		for at := "/v2/changes?limit=40&include=record"; at != ""; {
			page := fixture.Parse[changeList](t, s.Get(t, at).Body)
			seen = append(seen, page.Data...)
			for _, r := range page.Included {
				found[r.Type] = true
			}
			at = strings.TrimPrefix(page.Links.Next, records.Base)
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
			return fixture.Parse[changeList](t, s.Get(t, strings.TrimPrefix(target, records.Base)).Body)
		}
		page := read("/v2/changes?wait=0&limit=1000&filter[record.type][in][]=categories")
		is.True(len(page.Data) > 0)
		var names [2]string
		for i := range names {
			is.Equal(len(read(page.Links.Next).Data), 0)
			names[i] = s.Send(t, "POST", "/v2/categories", fmt.Sprintf(`{"data":{"type":"categories","attributes":{"name":"Followed %d"}}}`, i)).ID(t)
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
		actor, err := s.App.Auth.Authenticate(t.Context(), s.Key)
		is.NoErr(err)
		feed, err := s.App.Changes.Feed(t.Context(), actor)
		is.NoErr(err)
		made := s.Send(t, "POST", "/v2/categories", `{"data":{"type":"categories","attributes":{"name":"After"}}}`)
		page := changesAfter(t, s, "0", "&after="+feed.Last().String())
		is.Equal(len(page.Data), 1)
		is.Equal(page.Data[0].Relationships.Record.Data.ID, made.ID(t))
		feed.Store[0]++
		other := s.Get(t, "/v2/changes?after="+feed.Last().String())
		is.Equal(other.Status, 410)
		is.True(strings.Contains(other.Body, "belongs to an earlier state of the database"))
		for _, wrong := range []string{"after=x", "after=" + feed.Last().String() + "&sort=id", "wait=61", "wait=-1", "wait=x", "wait=1&sort=id"} {
			is.Equal(s.Get(t, "/v2/changes?"+wrong).Status, 400)
		}
	})

	t.Run("a cursor that continues after deleted changes is 410", func(t *testing.T) {
		is := is.New(t)
		first := fixture.Parse[changeList](t, s.Get(t, "/v2/changes?limit=2").Body)
		next := strings.TrimPrefix(first.Links.Next, records.Base)
		is.Equal(s.Get(t, next).Status, 200)
		s.App.Changes.KeepFor(0) // forever
		more, err := s.App.Changes.Sweep(t.Context())
		is.NoErr(err)
		is.True(!more)
		is.Equal(s.Get(t, next).Status, 200)
		s.App.Changes.KeepFor(-100 * 365 * 24 * time.Hour) // negative: all changes have expired
		for more := true; more; {
			var err error
			more, err = s.App.Changes.Sweep(t.Context())
			is.NoErr(err)
		}
		gone := s.Get(t, next)
		is.Equal(gone.Status, 410)
		is.True(strings.Contains(gone.Body, "is older than the changes that are kept"))
		var empty struct{ Data []json.RawMessage }
		is.NoErr(json.Unmarshal([]byte(s.Get(t, "/v2/changes").Body), &empty))
		is.Equal(len(empty.Data), 0) // a reader without a cursor begins with the oldest change
	})
}
