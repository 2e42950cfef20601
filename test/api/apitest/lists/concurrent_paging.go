package lists

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/bodies"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// ConcurrentPaging checks that clients that follow the links of a list read every unchanged row
// exactly once. They use two instances in turn, while other requests add, delete and rename rows.
func ConcurrentPaging(t *testing.T, s *fixture.Server) {
	for _, sort := range []string{"name", "-name", "created_at", "-updated_at,name", "uuid"} {
		t.Run(sort, func(t *testing.T) {
			is := is.New(t)
			rnd := rand.New(rand.NewPCG(7, uint64(len(sort))))
			prefix := "w" + strings.NewReplacer(",", "", "-", "d", "_", "").Replace(sort)
			w := &changingList{t: t, s: s, rnd: rnd, prefix: prefix, ids: map[string]string{}}
			for range 25 {
				w.add()
			}
			stay := map[string]bool{}
			for _, id := range w.ids {
				stay[id] = true
			}
			next := fmt.Sprintf("/v2/categories?filter[name][start]=%s&sort=%s&limit=4", prefix, sort)
			seen := map[string]int{}
			for turn := 0; next != ""; turn++ {
				p := readPage(t, s, []string{s.URL, s.Second}[turn%2], next)
				again := readPage(t, s, []string{s.Second, s.URL}[turn%2], next)
				is.Equal(p, again) // both instances return the same page
				for _, r := range p.Data {
					seen[r.ID]++
				}
				next = strings.TrimPrefix(p.Links.Next, records.Base)
				for range rnd.IntN(4) {
					for _, id := range w.change() {
						delete(stay, id)
					}
				}
			}
			for id := range stay {
				is.Equal(seen[id], 1) // these rows did not change
			}
			for id, times := range seen {
				if times > 1 && !w.renamed[id] {
					t.Errorf("%s was returned %d times", id, times)
				}
			}
		})
	}

	t.Run("a page number is an offset into the list", func(t *testing.T) {
		is := is.New(t)
		rnd := rand.New(rand.NewPCG(8, 1))
		w := &changingList{t: t, s: s, rnd: rnd, prefix: "slice", ids: map[string]string{}}
		for range 12 {
			w.add()
		}
		for range 30 {
			w.change()
			limit, number := 1+rnd.IntN(5), 1+rnd.IntN(5)
			path := fmt.Sprintf("/v1/categories?filter[name][start]=slice&limit=%d&page=%d", limit, number)
			got := readPage(t, s, []string{s.URL, s.Second}[rnd.IntN(2)], path)
			names := slices.Sorted(func(yield func(string) bool) {
				for name := range w.ids {
					if !yield(name) {
						return
					}
				}
			})
			from := min((number-1)*limit, len(names))
			is.Equal(namesOf(got), strings.Join(names[from:min(from+limit, len(names))], " "))
		}
	})

	t.Run("a reader that polls the last page of the feed misses no event", func(t *testing.T) {
		is := is.New(t)
		const feed = "/v2/events?limit=4"
		next, seen, reported := feed, map[string]int{}, 0
		for turn := range 60 {
			for range turn % 3 {
				reported++
				a := s.Send(t, "POST", "/v2/events", bodies.LearnerDocument("learner_viewed_activity_events", fmt.Sprintf(`"client_id":"poll-%d"`, reported), records.Ada, "activity", records.Lines))
				is.Equal(a.Status, 201)
			}
			p := readPage(t, s, []string{s.URL, s.Second}[turn%2], next)
			if p.Links.Next == "" {
				continue // request this page again until it has a next page
			}
			for _, r := range p.Data {
				seen[fmt.Sprint(r.Attributes["client_id"])]++
			}
			next = strings.TrimPrefix(p.Links.Next, records.Base)
		}
		for p := readPage(t, s, s.URL, next); ; p = readPage(t, s, s.URL, strings.TrimPrefix(p.Links.Next, records.Base)) {
			for _, r := range p.Data {
				seen[fmt.Sprint(r.Attributes["client_id"])]++
			}
			if p.Links.Next == "" {
				break
			}
		}
		for i := range reported {
			is.Equal(seen[fmt.Sprintf("poll-%d", i+1)], 1)
		}
	})
}

// changingList changes the categories whose names start with prefix at random. ids maps their names
// to their ids.
type changingList struct {
	t       *testing.T
	s       *fixture.Server
	rnd     *rand.Rand
	prefix  string
	ids     map[string]string
	renamed map[string]bool
}

func (w *changingList) name() string {
	for {
		name := fmt.Sprintf("%s%03d", w.prefix, w.rnd.IntN(1000))
		if _, taken := w.ids[name]; !taken {
			return name
		}
	}
}

func (w *changingList) add() {
	name := w.name()
	a := w.s.Send(w.t, "POST", "/v1/categories", `{"data":{"type":"categories","attributes":{"name":"`+name+`"}}}`)
	w.ids[name] = a.ID(w.t)
}

// change adds, deletes or renames a category. It returns the id of a deleted or renamed category.
func (w *changingList) change() []string {
	kind := w.rnd.IntN(3)
	if kind == 0 || len(w.ids) == 0 {
		w.add()
		return nil
	}
	names := make([]string, 0, len(w.ids))
	for name := range w.ids {
		names = append(names, name)
	}
	slices.Sort(names)
	name := names[w.rnd.IntN(len(names))]
	id := w.ids[name]
	delete(w.ids, name)
	if kind == 1 {
		w.s.Send(w.t, "DELETE", "/v1/categories/"+id, "")
		return []string{id}
	}
	renamed := w.name()
	w.s.Send(w.t, "PATCH", "/v1/categories/"+id, `{"data":{"type":"categories","uuid":"`+id+`","attributes":{"name":"`+renamed+`"}}}`)
	w.ids[renamed] = id
	if w.renamed == nil {
		w.renamed = map[string]bool{}
	}
	w.renamed[id] = true
	return []string{id}
}

// readPage reads a page of a list from the instance with the given URL.
func readPage(t *testing.T, s *fixture.Server, instance, path string) fixture.Page {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, instance+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Api-Key", s.Key)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	var p fixture.Page
	if err != nil || json.Unmarshal(body, &p) != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %d %s %v", path, resp.StatusCode, body, err)
	}
	return p
}
