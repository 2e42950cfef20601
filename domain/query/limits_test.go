package query_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/query"
)

// many returns n pairs; %d in pair is their number.
func many(pair string, n int) string {
	pairs := make([]string, n)
	for i := range pairs {
		pairs[i] = strings.ReplaceAll(pair, "%d", fmt.Sprint(i))
	}
	return strings.Join(pairs, "&")
}

func TestBuildLimits(t *testing.T) {
	for _, tc := range []struct {
		name, filter string
		refused      []string // parameters
	}{
		{"50 conditions", many("filter[name][eq]=x", query.MaxConditions), nil},
		{"51 conditions", many("filter[or][%d][name][eq]=x", query.MaxConditions+1), []string{"filter[or][50][name][eq]"}},
		{"a list is one condition", many("filter[name][eq][]=x", query.MaxConditions+1), nil},
		{"1,000 values", many("filter[course_count][in][]=%d", query.MaxValues), nil},
		{"1,001 values", many("filter[course_count][in][]=%d", query.MaxValues+1), []string{"filter[course_count][in][]"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			_, err := query.Build(rows, query.Request{Terms: terms(tc.filter)})
			var refused []string
			for _, f := range fault.All(err) {
				refused = append(refused, f.Param)
			}
			is.Equal(refused, tc.refused)
		})
	}
}

func TestSearchLimit(t *testing.T) {
	is := is.New(t)
	_, err := query.Build(rows, query.Request{Search: strings.Repeat("x ", query.MaxWords)})
	is.NoErr(err)
	_, err = query.Build(rows, query.Request{Search: strings.Repeat("x ", query.MaxWords+1)})
	is.Equal(len(fault.All(err)), 1)
	is.Equal(fault.All(err)[0].Param, "q")
}
