package query_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/query"
)

func TestBuildInvalid(t *testing.T) {
	for _, tc := range []struct {
		name, filter string
		detail       string // text that the detail contains
	}{
		{"unknown attribute", "filter[age][eq]=x", `unknown attribute "age"; known attributes: uuid, name, full_name, email`},
		{"hidden attribute", "filter[secret][eq]=x", `unknown attribute "secret"`},
		{"unknown predicate", "filter[name][is]=x", `name does not support the predicate "is"; supported: eq, not_eq, in`},
		{"predicate of another kind", "filter[course_count][cont]=1", `course_count does not support the predicate "cont"; supported: eq`},
		{"attribute of other letters", "filter[Name][eq]=x", `unknown attribute "Name"`},
		{"value of another type", "filter[course_count][gt]=many", `"many" is not a whole number`},
		{"combinator with a value", "filter[and]=x", "must be followed by an attribute"},
		{"combinator with nothing under it", "filter[and][or]=x", "must be followed by an attribute"},
		{"index with nothing under it", "filter[or][0]=x", "must be followed by an attribute"},
		{"combinator after the attribute", "filter[name][or]=x", `does not support the predicate "or"`},
		{"index at the root", "filter[0][name][eq]=x", "an index is allowed only"},
		{"index after an index", "filter[or][0][1][name][eq]=x", "an index is allowed only"},
		{"index after the attribute", "filter[name][0]=x", `does not support the predicate "0"`},
		{"[] at the root", "filter[]=x", "[] is allowed only"},
		{"[] under a combinator", "filter[or][][name][eq]=x", "[] is allowed only"},
		{"[] after the attribute", "filter[name][]=x", "[] is allowed only"},
		{"[] twice", "filter[name][in][][]=x", "only []"},
		{"something after the predicate", "filter[name][eq][x]=x", "only []"},
		{"something after []", "filter[name][eq][][x]=x", "only []"},
		{"bare filter", "filter=x", "must name an attribute and a value"},
		{"NUL in a value", "filter[name][eq]=a\x00", "NUL"},
		{"NUL in a composite id", "filter[ref][eq]=a\x00", "NUL"},
		{"invalid UTF-8 in a value", "filter[name][eq]=\xff", "valid UTF-8 without NUL"},
		{"invalid UTF-8 in a name", "filter[\xff][eq]=x", "unknown attribute"},
		{"nesting too deep", "filter[and][or][and][or][and][or][and][name]=x", "maximum is 6"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			_, err := query.Build(rows, query.Request{Terms: terms(tc.filter)})
			is.Equal(len(fault.All(err)), 1)
			f := fault.All(err)[0]
			param, _, _ := strings.Cut(tc.filter, "=")
			is.Equal(f.Kind, fault.Malformed)
			is.Equal(f.Param, param)
			if !strings.Contains(f.Detail, tc.detail) {
				t.Errorf("the detail is %q, without %q", f.Detail, tc.detail)
			}
		})
	}
}

func TestBuildReturnsAllFaults(t *testing.T) {
	is := is.New(t)
	_, err := query.Build(rows, query.Request{
		Terms:  terms("filter[age][eq]=x&filter[name][eq]=right&filter[name][is]=x&filter[score][gt]=x"),
		Search: "\xff",
		Sort:   "name,age",
	})
	var params []string
	for _, f := range fault.All(err) {
		params = append(params, f.Param)
	}
	is.Equal(params, []string{"filter[age][eq]", "filter[name][is]", "filter[score][gt]", "q", "sort"})
}

// The detail of a fault truncates the input that it quotes.
func TestBuildTruncatesQuotedInput(t *testing.T) {
	is := is.New(t)
	long := strings.Repeat("x", 5000)
	for _, filter := range []string{"filter[score]=" + long, "filter[name][" + long + "]=x", "filter[" + long + "]=x"} {
		_, err := query.Build(rows, query.Request{Terms: terms(filter)})
		is.Equal(len(fault.All(err)), 1)
		is.True(len(fault.All(err)[0].Detail) < 500)
	}
}
