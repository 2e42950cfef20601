package query_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/query"
)

// A set equals each id that it contains. The empty set is null, and matches only the predicate
// null.
func TestTruthOfSets(t *testing.T) {
	all := []row{
		{Name: "none"},
		{Name: "one", Tags: []tag{{numbered(1)}}},
		{Name: "two", Tags: []tag{{numbered(2)}}},
		{Name: "both", Tags: []tag{{numbered(1)}, {numbered(2)}}},
		{Name: "other", Tags: []tag{{numbered(9)}}},
	}
	for i := range all {
		all[i].ID = numbered(byte(i))
	}
	first, second := numbered(1).String(), strings.ToUpper(numbered(2).String())
	for _, tc := range []struct{ filter, want string }{
		{"[eq]=1st", "one both"},
		{"=1st", "one both"}, // the same as eq
		{"[not_eq]=1st", "two other"},
		{"[in][]=1st&[in][]=2nd", "one two both"},
		{"[eq][]=1st&[eq][]=2nd", "one two both"},
		{"[eq]=1st&[eq]=2nd", "both"}, // two conditions
		{"[not_in][]=1st&[not_in][]=2nd", "other"},
		{"[not_eq]=1st&[not_eq]=2nd", "other"},
		{"[in]=00000000-0000-0000-0000-000000000000", ""},
		{"[not_in]=00000000-0000-0000-0000-000000000000", "one two both other"},
		{"[null]=true", "none"},
		{"[null]=false", "one two both other"},
		{"[eq]=1st&[null]=true", ""},
	} {
		t.Run(tc.filter, func(t *testing.T) {
			is := is.New(t)
			filter := strings.NewReplacer("1st", first, "2nd", second, "&", "&filter[tags.id]").Replace("filter[tags.id]" + tc.filter)
			q := build(t, filter)
			q.Sort = []query.Order{{Attr: rows.Attr("uuid")}}
			is.Equal(names(q, all...), tc.want)
		})
	}
}
