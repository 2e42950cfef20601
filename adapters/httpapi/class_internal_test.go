package httpapi

import (
	"lyceum/adapters/httpapi/respond"
	"testing"

	"github.com/matryer/is"
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
