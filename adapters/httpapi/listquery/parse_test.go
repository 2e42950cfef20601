package listquery

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/respond"
	"lyceum/domain/category"
	"lyceum/domain/fault"
	"lyceum/domain/query"
)

// These tests are about the syntax of a query. Its meaning is tested with package query
// and over HTTP.

func TestParse(t *testing.T) {
	term := func(param, value string, path ...string) query.Term {
		return query.Term{Param: param, Path: path, Value: value}
	}
	tests := []struct {
		raw    string
		want   query.Request
		shared string
	}{
		{"", query.Request{}, ""},
		{"page=3&limit=10", query.Request{Page: query.NewPage(3, 10)}, "limit=10"},
		{"limit=5000", query.Request{Page: query.NewPage(1, 1000)}, "limit=5000"},
		{"page=99999999999999999999", query.Request{Page: query.NewPage(1<<63-1, 0)}, ""},
		{"q=a+b%20c%2B;d&x=1", query.Request{Search: "a b c+;d"}, "q=a%20b%20c%2B%3Bd"},
		{"q", query.Request{}, "q="},
		{"sort=-a,b&api_key=k", query.Request{Sort: "-a,b"}, "sort=-a%2Cb"},
		{
			"filter[name][in][]=x&filter%5bor%5D[0][id]=",
			query.Request{Terms: []query.Term{
				term("filter[name][in][]", "x", "name", "in", ""), term("filter[or][0][id]", "", "or", "0", "id"),
			}},
			"filter%5Bname%5D%5Bin%5D%5B%5D=x&filter%5Bor%5D%5B0%5D%5Bid%5D=",
		},
		{"filter=x", query.Request{Terms: []query.Term{term("filter", "x")}}, "filter=x"},
	}
	for _, tt := range tests {
		t.Run(tt.raw, func(t *testing.T) {
			is := is.New(t)
			got, err := Parse(respond.ParseQuery(tt.raw), false)
			is.NoErr(err)
			if tt.want.Page == (query.Page{}) {
				tt.want.Page = query.NewPage(1, 0)
			}
			is.Equal(got.Request, tt.want)
			is.Equal(got.Shared, tt.shared)
		})
	}
}

// A misspelled list parameter belongs to the family of the parameter that was meant.
func TestFamily(t *testing.T) {
	for name, want := range map[string]string{
		"filter[name]": "filter", "filter": "filter", "filter [name]": "filter", " filter[name]": "filter",
		"filter]name[": "filter", "filter.name": "filter",
		"filters[name]": "filter", "filter_by": "filter", "Filter[name]": "filter", "FILTER": "filter", "filteremail]": "filter",
		"page[number]": "page", "pages": "page", "Page": "page", "SORTS": "sort", "sort": "sort", "Limit": "limit",
		"limits": "limit", "Q": "q", "Cursor": "cursor",
		"sorting": "sorting", "per_page": "per_page", "paged": "paged", "query": "query", "cursors": "cursors", "Include": "Include",
	} {
		is := is.New(t)
		is.Equal(familyOf(respond.Parameter{Name: name}), want) // the family of name
	}
}

func TestBrackets(t *testing.T) {
	tests := []struct {
		s    string
		want []string
		OK   bool
	}{
		{"", nil, true},
		{"[a]", []string{"a"}, true},
		{"[a][][b]", []string{"a", "", "b"}, true},
		{"[", nil, false},
		{"]", nil, false},
		{"[a", nil, false},
		{"[a]]", nil, false},
		{"[[a]]", nil, false},
		{"[a]b", nil, false},
		{"b[a]", nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.s, func(t *testing.T) {
			is := is.New(t)
			got, ok := brackets(tt.s)
			is.Equal(ok, tt.OK)
			is.Equal(got, tt.want)
		})
	}
}

// A parameter that is certainly meant for the list is refused, and the fault names it. Other
// parameters are ignored.
func TestMisspelledParameters(t *testing.T) {
	for _, name := range []string{
		"filters[email][eq]", "Filter[email][eq]", "filter.email", "filteremail][eq]", "filter_by", "FILTER[email]", "filter ", " filter[email]",
		"Sort", "sorts", "SORT", "pages", "Page", "limits", "LIMIT", "Q", "Cursor", "page[number]", "fields", "fields[]", "fields[a][b]", "include[x]", "count",
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			_, err := Parse([]respond.Parameter{{Name: name, Value: "1"}}, false)
			faults := fault.All(err)
			is.Equal(len(faults), 1)
			is.Equal(faults[0].Param, name)
		})
	}
	for _, name := range []string{"per_page", "sorting", "paged", "query", "x", "utf8", "_", "Include", "cursors"} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			_, err := Parse([]respond.Parameter{{Name: name, Value: "1"}}, false)
			is.NoErr(err)
		})
	}
}

// Every query results in a request or in Malformed faults. Parsing the shared parameters of links
// again results in the same request.
func FuzzParse(f *testing.F) {
	for _, raw := range []string{
		"page=2&limit=3&q=a;b&sort=-name", "filter[or][0][name][in][]=%C3%A9&filter[[=", "%=%zz&&=&page=00", "filter%5bname%5d=+%2B",
	} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		first, err := Parse(respond.ParseQuery(raw), false)
		if err != nil {
			for _, broken := range fault.All(err) {
				if broken.Kind != fault.Malformed || broken.Detail == "" {
					t.Fatalf("%+v", broken)
				}
			}
			return
		}
		if strings.ContainsAny(first.Shared, " []\"<>;\\\n") {
			t.Fatalf("links keep %q", first.Shared)
		}
		again, err := Parse(respond.ParseQuery(first.Shared), false)
		if err != nil || again.Shared != first.Shared || len(again.Terms) != len(first.Terms) ||
			again.Search != first.Search || again.Sort != first.Sort || again.Page.Limit() != first.Page.Limit() {
			t.Fatalf("%+v came back as %+v, %v", first, again, err)
		}
		if _, err := query.Build(category.Schema, first.Request); err != nil && !fault.Is(err, fault.Malformed) {
			t.Fatal(err)
		}
	})
}
