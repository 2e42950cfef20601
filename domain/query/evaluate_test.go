package query_test

import (
	"math"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/query"
)

func TestEvaluatePages(t *testing.T) {
	five := []row{
		{ID: numbered(5), Name: "e"},
		{ID: numbered(1), Name: "a"},
		{ID: numbered(3), Name: "c"},
		{ID: numbered(2), Name: "b"},
		{ID: numbered(4), Name: "d"},
	}
	for _, tc := range []struct {
		name string
		page query.Page
		want string
		more bool
	}{
		{"first of several", query.NewPage(1, 2), "a b", true},
		{"in the middle", query.NewPage(2, 2), "c d", true},
		{"last, not full", query.NewPage(3, 2), "e", false},
		{"past the end", query.NewPage(4, 2), "", false},
		{"far past the end", query.NewPage(math.MaxInt64, 2), "", false},
		{"full and last", query.NewPage(1, 5), "a b c d e", false},
		{"one short", query.NewPage(1, 4), "a b c d", true},
		{"default", query.Page{}, "a b c d e", false},
		{"everything", query.AllRows(), "a b c d e", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			q := query.Query{Page: tc.page}
			is.Equal(names(q, five...), tc.want)
			is.Equal(rows.Evaluate(q, five).More, tc.more)
		})
	}
	t.Run("no rows at all", func(t *testing.T) {
		is := is.New(t)
		result := rows.Evaluate(query.Query{}, nil)
		is.Equal(len(result.Items), 0)
		is.Equal(result.More, false)
	})
}

func TestEvaluateFiltersAndSorts(t *testing.T) {
	is := is.New(t)
	all := []row{
		{ID: numbered(1), Name: "a", CourseCount: 1},
		{ID: numbered(2), Name: "b", CourseCount: 3},
		{ID: numbered(3), Name: "c", CourseCount: 2},
		{ID: numbered(4), Name: "d", CourseCount: 2},
	}
	q, err := query.Build(rows, query.Request{
		Terms: terms("filter[course_count][gt]=1"), Sort: "-course_count", Page: query.NewPage(1, 2),
	})
	is.NoErr(err)
	is.Equal(names(q, all...), "b c")
	is.True(rows.Evaluate(q, all).More)
}

func TestEmptyGroups(t *testing.T) {
	is := is.New(t)
	r := rows.Record(row{})
	is.Equal(rows.Compile(query.And{})(r), true)
	is.Equal(rows.Compile(query.Or{})(r), false)
	is.Equal(rows.Compile(nil)(r), true)
	is.Equal(rows.Compile(query.And{query.Or{}, query.And{}})(r), false)
	is.Equal(rows.Compile(query.Or{query.Or{}, query.And{}})(r), true)
}

// A store uses the schema of the domain, but receives queries that were built with the transport's
// schema, which has more attributes.
func TestQueriesOfADerivedSchemaRunOnTheBase(t *testing.T) {
	is := is.New(t)
	transport := rows.With("alias", "x-", "full_name", "")
	q, err := query.Build(transport, query.Request{Terms: terms("filter[alias][eq]=x-Ada"), Sort: "-alias"})
	is.NoErr(err)
	is.Equal(names(q, row{Name: "1", FullName: "Ada"}, row{Name: "2", FullName: "x-Ada"}), "1")
}
