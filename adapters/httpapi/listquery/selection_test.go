package listquery

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/respond"
	"lyceum/domain/fault"
)

func TestParseSelection(t *testing.T) {
	tests := map[string]struct {
		query string
		want  Selection
		fault string
	}{
		"nothing":         {"q=x&page=z", Selection{}, ""},
		"paths":           {"include=a,b.c,a,,d", Selection{Include: [][]string{{"a"}, {"b", "c"}, {"d"}}}, ""},
		"no path":         {"include=", Selection{Include: [][]string{}}, ""},
		"fields":          {"fields[a]=x,y&fields%5Bb%5D=", Selection{Fields: []Fieldset{{"fields[a]", "a", []string{"x", "y"}}, {"fields[b]", "b", nil}}}, ""},
		"the same twice":  {"include=a&include=a", Selection{Include: [][]string{{"a"}}}, ""},
		"different":       {"include=a&include=b", Selection{}, "is given more than once, with different values"},
		"in brackets":     {"include[]=a", Selection{}, "is not supported"},
		"no type":         {"fields=a", Selection{}, "is not a valid fieldset, such as fields[people]=name,email"},
		"invalid percent": {"include=%zz", Selection{}, "contains invalid percent-encoding"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			got, err := ParseSelection(respond.ParseQuery(tt.query))
			if tt.fault != "" {
				is.Equal(fault.All(err)[0].Detail, tt.fault)
				return
			}
			is.NoErr(err)
			is.Equal(got, tt.want)
		})
	}
	is := is.New(t)
	var many []string
	for i := range maxNames + 1 {
		many = append(many, strings.Repeat("a", i+1))
	}
	_, err := ParseSelection(respond.ParseQuery("include=" + strings.Join(many[:maxPaths+1], ",")))
	is.Equal(fault.All(err)[0].Detail, "has too many paths (maximum is 20)")
	got, err := ParseSelection(respond.ParseQuery("fields[a]=" + strings.Join(many, ",")))
	is.NoErr(err)
	is.Equal(len(got.Fields[0].Names), maxNames)
}

// Including resources and counting rows increase the cost of a request.
func TestCostOfSelections(t *testing.T) {
	for query, want := range map[string]limits.Class{
		"": limits.Cheap, "include=a": limits.Cheap, "include=a,b,c": limits.Cheap, "include=a,b,c,d": limits.Large, "limit=51&include=a": limits.Large,
		"limit=50&include=a": limits.Cheap, "count=false": limits.Cheap, "count=true": limits.Expensive, "fields[a]=b": limits.Cheap,
	} {
		t.Run(query, func(t *testing.T) {
			is := is.New(t)
			is.Equal(Class(respond.ParseQuery(query), false), want)
		})
	}
}
