package httpapi

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/respond"
)

func TestSearches(t *testing.T) {
	for query, want := range map[string]bool{
		"":                                   false,
		"page=3&limit=50":                    false,
		"q=":                                 false,
		"q=ada":                              true,
		"sort=name":                          true,
		"filter[uuid]=x":                     false,
		"filter[email]=a%40b.example":        false,
		"filter[email][in]=a,b":              false,
		"filter[person.id][eq]=x":            false,
		"filter[course.id]=x&filter[code]=y": false,
		"filter[course.id]=x&filter[name]=y": true,
		"filter[email][cont]=a":              true,
		"filter%5Bname%5D%5Bcont%5D=a":       true,
		"filter[progress][gt]=5":             true,
		"api_key=lyc_x&page=2":               false,
	} {
		is := is.New(t)
		is.Equal(searches(respond.ParseQuery(query)), want) // query
	}
}

// The class and the turns of a request follow the limit that its list has.
func TestRecordsAskedFor(t *testing.T) {
	for _, limit := range []string{
		"", "0", "-5", "+5", "x", "1", "40", "1000", "1001", "0007", "2147483648", "9223372036854775807",
		"9223372036854775808", "99999999999999999999", "1e9",
	} {
		is := is.New(t)
		parameters := respond.ParseQuery("limit=" + limit)
		want := 0
		if asked, err := readListRequest(parameters); err == nil {
			want = asked.Page.Limit()
		}
		is.Equal(recordsAskedFor(parameters), want) // limit
	}
}

func TestIsNumbered(t *testing.T) {
	for query, want := range map[string]bool{
		"":                 false,
		"limit=50":         false,
		"page=1":           false,
		"page=":            false,
		"page=2":           true,
		"page=2&cursor=":   true,
		"page=2&cursor=x":  false,
		"cursor=x&page=90": false,
	} {
		is := is.New(t)
		is.Equal(isNumbered(respond.ParseQuery(query)), want) // query
	}
}
