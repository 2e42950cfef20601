package lists

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// cursorIn returns the cursor of a link.
func cursorIn(t *testing.T, link string) string {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil || u.Query().Get("cursor") == "" {
		t.Fatalf("no cursor in %q", link)
	}
	return u.Query().Get("cursor")
}

// namesOf returns the names in the rows of the page, separated by spaces.
func namesOf(p fixture.Page) string {
	var names []string
	for _, r := range p.Data {
		names = append(names, fmt.Sprint(r.Attributes["name"]))
	}
	return strings.Join(names, " ")
}

func addCategories(t *testing.T, s *fixture.Server, names ...string) {
	t.Helper()
	for _, name := range names {
		s.Send(t, "POST", "/v1/categories", `{"data":{"type":"categories","attributes":{"name":"`+name+`"}}}`)
	}
}

// Cursors checks both ways to request a page. A page requested by number is a slice of the current
// list, independent of earlier requests. A page requested by a link starts or ends next to the page
// that contained the link.
func Cursors(t *testing.T, s *fixture.Server) {
	const list = "/v1/categories?filter[name][start]=n&limit=3"
	get := func(t *testing.T, path string) fixture.Page {
		return s.Get(t, strings.TrimPrefix(path, records.Base)).Page(t)
	}
	addCategories(t, s, "n10", "n20", "n30", "n40")

	t.Run("a page number is always counted from the start of the list", func(t *testing.T) {
		is := is.New(t)
		next := get(t, list).Links.Next
		is.Equal(namesOf(get(t, next)), "n40")
		is.Equal(namesOf(get(t, list+"&page=2")), "n40")
		addCategories(t, s, "n50", "n60", "n70")
		for range 3 {
			is.Equal(namesOf(get(t, list+"&page=2")), "n40 n50 n60")
			is.Equal(namesOf(get(t, list+"&page=3")), "n70")
			is.Equal(namesOf(get(t, next)), "n40 n50 n60") // the page after n30
		}
		addCategories(t, s, "n05")
		is.Equal(namesOf(get(t, list+"&page=2")), "n30 n40 n50")
		is.Equal(namesOf(get(t, next)), "n40 n50 n60")
		is.Equal(namesOf(get(t, fixture.WithoutCursor(next))), "n30 n40 n50")
	})

	t.Run("next and prev return to the same page", func(t *testing.T) {
		is := is.New(t)
		first := get(t, list)
		second := get(t, first.Links.Next)
		third := get(t, second.Links.Next)
		is.Equal(namesOf(first)+"|"+namesOf(second)+"|"+namesOf(third), "n05 n10 n20|n30 n40 n50|n60 n70")
		is.Equal(third.Links.Next, "")
		is.Equal(second.Links.Self, first.Links.Next) // polling returns the same page
		addCategories(t, s, "n00")
		back := get(t, third.Links.Prev)
		is.Equal(namesOf(back), "n30 n40 n50")
		is.Equal(namesOf(get(t, back.Links.Next)), "n60 n70")
		is.Equal(back.Links.Prev, records.Base+strings.ReplaceAll(strings.ReplaceAll(list, "[", "%5B"), "]", "%5D"))
		is.Equal(namesOf(get(t, back.Links.Prev)), "n00 n05 n10") // page 1 does not depend on the cursor
	})

	t.Run("the first and last rows of a page are deleted", func(t *testing.T) {
		is := is.New(t)
		second := get(t, get(t, list).Links.Next) // contains n20 n30 n40
		third := get(t, second.Links.Next)
		for _, name := range []string{"n10", "n20", "n30", "n40"} {
			id := s.Get(t, "/v1/categories?filter[name][eq]="+name).IDs(t)
			is.Equal(s.Send(t, "DELETE", "/v1/categories/"+id, "").Status, 204)
		}
		is.Equal(namesOf(get(t, second.Links.Next)), namesOf(third))
		back := get(t, third.Links.Prev)
		is.Equal(namesOf(back), "n00 n05") // the list is shorter now, so there are fewer rows than the limit
		is.Equal(namesOf(get(t, back.Links.Next)), namesOf(third))
	})

	t.Run("a page between two cursors whose rows were deleted", func(t *testing.T) {
		is := is.New(t)
		const few = "/v1/categories?filter[name][start]=x&limit=1"
		addCategories(t, s, "x1", "x2", "x3", "x4")
		second := get(t, get(t, few).Links.Next)
		third := get(t, second.Links.Next)
		for _, name := range []string{"x1", "x2"} {
			id := s.Get(t, "/v1/categories?filter[name][eq]="+name).IDs(t)
			is.Equal(s.Send(t, "DELETE", "/v1/categories/"+id, "").Status, 204)
		}
		empty := get(t, third.Links.Prev)
		is.Equal(namesOf(empty), "")
		is.Equal(namesOf(get(t, empty.Links.Next)), "x3") // the row after the empty page
		for _, name := range []string{"x3", "x4"} {
			id := s.Get(t, "/v1/categories?filter[name][eq]="+name).IDs(t)
			is.Equal(s.Send(t, "DELETE", "/v1/categories/"+id, "").Status, 204)
		}
		empty = get(t, third.Links.Self)
		is.Equal(namesOf(empty), "")
		is.Equal(empty.Links.Next, "")
		addCategories(t, s, "x1")
		is.Equal(namesOf(get(t, empty.Links.Prev)), "x1") // the last row before the cursor
	})

	t.Run("a cursor belongs to a list, a filter, a search and a sort", func(t *testing.T) {
		cursor := cursorIn(t, get(t, list).Links.Next)
		for _, tt := range []struct {
			name, path string
			status     int
		}{
			{"its own page", list + "&page=2&cursor=" + cursor, 200},
			{"the other version", strings.Replace(list, "v1", "v2", 1) + "&page=2&cursor=" + cursor, 200},
			{"parameters in another order and encoding", "/v1//categories/?limit=3&cursor=" + cursor + "&page=2&filter%5Bname%5D[start][]=n", 200},
			{"another page", list + "&page=3&cursor=" + cursor, 200},
			{"no page", list + "&cursor=" + cursor, 200},
			{"another limit", "/v1/categories?filter[name][start]=n&limit=2&page=2&cursor=" + cursor, 200},
			{"another list", "/v1/groups?filter[name][start]=n&limit=3&page=2&cursor=" + cursor, 400},
			{"another filter", "/v1/categories?filter[name][start]=x&limit=3&page=2&cursor=" + cursor, 400},
			{"no filter", "/v1/categories?limit=3&page=2&cursor=" + cursor, 400},
			{"another search", list + "&q=0&page=2&cursor=" + cursor, 400},
			{"another sort", list + "&sort=-name&page=2&cursor=" + cursor, 400},
			{"the same sort, by name", list + "&sort=name&page=2&cursor=" + cursor, 200},
			{"a truncated cursor", list + "&page=2&cursor=" + cursor[:len(cursor)-2], 400},
			{"an altered cursor", list + "&page=2&cursor=" + cursor[:9] + flip(cursor[9]) + cursor[10:], 400},
			{"two", list + "&page=2&cursor=" + cursor + "&cursor=" + cursor + "x", 400},
		} {
			t.Run(tt.name, func(t *testing.T) {
				is := is.New(t)
				a := s.Get(t, tt.path)
				is.Equal(a.Status, tt.status)
				if a.Status != 200 {
					is.Equal(strings.Fields(a.Failures(t)[0])[1], "cursor")
				}
			})
		}
		t.Run("another school", func(t *testing.T) {
			is := is.New(t)
			is.Equal(s.Request("GET", list+"&page=2&cursor="+cursor).As(s.OtherTenantKey).Send(t).Status, 400)
		})
	})

	t.Run("the cursor is ignored with another page or limit", func(t *testing.T) {
		is := is.New(t)
		cursor := "&cursor=" + cursorIn(t, get(t, list).Links.Next)
		addCategories(t, s, "n01", "n02", "n03", "n04")
		for _, query := range []string{"&page=1", "&page=3", "", "&page=2&limit=2"} {
			path := "/v1/categories?filter[name][start]=n" + query
			if !strings.Contains(query, "limit") {
				path += "&limit=3"
			}
			got, want := get(t, path+cursor), get(t, path)
			is.Equal(namesOf(got), namesOf(want))
			is.Equal(got.Links, want.Links)
		}
	})
}

func flip(b byte) string {
	if b == 'A' {
		return "B"
	}
	return "A"
}
