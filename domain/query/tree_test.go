package query_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/query"
)

func TestBuildTree(t *testing.T) {
	for _, tc := range []struct {
		name, filter, want string
	}{
		// One condition.
		{"one predicate", "filter[name][eq]=Acme", `name = "Acme"`},
		{"[] with one value changes nothing", "filter[name][eq][]=Acme", `name = "Acme"`},
		{"no predicate means cont on text", "filter[name]=x", `name ~ "x"`},
		{"no predicate means eq elsewhere", "filter[course_count]=3", `course_count = 3`},
		{"no predicate means cont on a link", "filter[link]=x", `link ~ "x"`},
		{"no predicate means eq on a composite id", "filter[ref]=a:b", `ref = "a:b"`},
		{"an empty value is a value", "filter[name][eq]=", `name = ""`},
		{
			"id is another name of uuid", "filter[id][eq]=00000000-0000-0000-0000-00000000000A",
			"uuid = 00000000-0000-0000-0000-00000000000a",
		},
		{
			"a relationship", "filter[owner.id][eq]=00000000-0000-0000-0000-000000000001",
			"owner.id = 00000000-0000-0000-0000-000000000001",
		},

		// Several values.
		{"in with a list", "filter[name][in][]=a&filter[name][in][]=b", `name = "a"|"b"`},
		{"in repeated without []", "filter[name][in]=a&filter[name][in]=b", `name = "a"|"b"`},
		{"in with and without []", "filter[name][in]=a&filter[name][in][]=b", `name = "a"|"b"`},
		{"eq with a list is in", "filter[name][eq][]=a&filter[name][eq][]=b", `name = "a"|"b"`},
		{"eq repeated without [] is two", "filter[name][eq]=a&filter[name][eq]=b", `(name = "a" and name = "b")`},
		{
			"a list and a pair of its own", "filter[name][cont][]=a&filter[name][cont]=b&filter[name][cont][]=c",
			`(name ~ "a"|"c" and name ~ "b")`,
		},
		{
			"lists of different predicates stay apart", "filter[name][in][]=a&filter[name][eq][]=b",
			`(name = "a" and name = "b")`,
		},
		{"not_in is one list", "filter[name][not_in]=a&filter[name][not_in]=b", `name != "a"|"b"`},
		{
			"both names of the uuid make one list",
			"filter[id][in]=00000000-0000-0000-0000-000000000001&filter[uuid][in]=00000000-0000-0000-0000-000000000002",
			"uuid = 00000000-0000-0000-0000-000000000001|00000000-0000-0000-0000-000000000002",
		},
		{
			"lists of different groups stay apart", "filter[name][in][]=a&filter[or][name][in][]=b",
			`(name = "a" and name = "b")`,
		},

		// Groups.
		{
			"two predicates on one attribute", "filter[created_at][gteq][]=2026-01-01&filter[created_at][lt]=2026-02-01",
			`(created_at >= [2026-01-01T00:00:00, 2026-01-02T00:00:00)` +
				` and created_at < [2026-02-01T00:00:00, 2026-02-02T00:00:00))`,
		},
		{"a group of one is that one", "filter[and][or][name][cont]=x", `name ~ "x"`},
		{
			"or within and",
			"filter[and][or][name][cont]=x&filter[and][or][email][cont]=y&filter[and][course_count][gt]=3",
			`((name ~ "x" or email ~ "y") and course_count > 3)`,
		},
		{
			"and within or",
			"filter[or][and][full_name][eq]=j&filter[or][and][course_count][gt]=18&filter[or][email][cont]=admin",
			`((full_name = "j" and course_count > 18) or email ~ "admin")`,
		},
		{
			"indexed elements of or", "filter[or][0][name][eq]=A&filter[or][0][email][cont]=x&filter[or][1][name][eq]=B",
			`((name = "A" and email ~ "x") or name = "B")`,
		},
		{
			"indexed elements of and",
			"filter[and][0][or][name][eq]=a&filter[and][0][or][email][eq]=b" +
				"&filter[and][1][or][course_count][lt]=1&filter[and][1][or][course_count][gt]=9",
			`((name = "a" or email = "b") and (course_count < 1 or course_count > 9))`,
		},
		{"the same predicate twice under and", "filter[and][name][cont]=a&filter[and][name][cont]=b", `(name ~ "a" and name ~ "b")`},
		{
			"a list under or", "filter[or][name][cont][]=a&filter[or][name][cont][]=b&filter[or][email][eq]=c",
			`(name ~ "a"|"b" or email = "c")`,
		},
		{
			"the root is an and group", "filter[name][eq]=a&filter[or][email][eq]=b&filter[or][email][eq]=c",
			`(name = "a" and (email = "b" or email = "c"))`,
		},
		{
			"leading zeros of an index", "filter[or][01][name]=a&filter[or][1][email]=b&filter[or][0][name]=c",
			`((name ~ "a" and email ~ "b") or name ~ "c")`,
		},
		{"indexed and plain parts side by side", "filter[or][0][name]=a&filter[or][email]=b", `(name ~ "a" or email ~ "b")`},
		{
			"pairs need not be adjacent", "filter[or][name]=a&filter[course_count]=1&filter[or][name]=b",
			`((name ~ "a" or name ~ "b") and course_count = 1)`,
		},
		{"six combinators", "filter[and][or][and][or][and][or][name]=x", `name ~ "x"`},
		{"nothing asked", "", "everything"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(show(build(t, tc.filter).Where), tc.want)
		})
	}
}

func TestBuildJoinsFilterAndSearch(t *testing.T) {
	is := is.New(t)
	q, err := query.Build(rows, query.Request{
		Terms:  terms("filter[or][name][eq]=a&filter[or][name][eq]=b"),
		Search: "x",
		Page:   query.NewPage(3, 7),
	})
	is.NoErr(err)
	is.Equal(show(q.Where), `((name = "a" or name = "b") and (name ~ "x" or email ~ "x"))`)
	is.Equal(q.Page, query.NewPage(3, 7))
}
