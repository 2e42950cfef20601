package query_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/query"
)

// many returns n copies of pair, with %d replaced by their index.
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
		refused      []string // the parameters with faults
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
	numbered := func(n int) string {
		var words []string
		for i := range n {
			words = append(words, fmt.Sprintf("word%02d", i))
		}
		return strings.Join(words, " ")
	}
	for _, tc := range []struct {
		name, search string
		refused      int
	}{
		{"20 words", numbered(query.MaxWords), 0},
		{"20 words, each twice", numbered(query.MaxWords) + " " + numbered(query.MaxWords), 0},
		{"one word, a thousand times", strings.Repeat("x ", 1000), 0},
		{"21 words", numbered(query.MaxWords + 1), 1},
		{"a thousand words", numbered(1000), 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			_, err := query.Build(rows, query.Request{Search: tc.search})
			refused := fault.All(err)
			is.Equal(len(refused), tc.refused)
			for _, f := range refused {
				is.Equal(f.Param, "q")
			}
		})
	}
}
