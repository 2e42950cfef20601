package query_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/query"
)

func TestBuildSort(t *testing.T) {
	for _, tc := range []struct{ sort, want string }{
		{"", "name"},
		{"-name", "-name"},
		{"email,-course_count", "email -course_count"},
		{"id", "uuid"},
		{"name,-name,email", "name email"},
		{"-id,uuid", "-uuid"},
		{"-link", "-link"},
	} {
		t.Run(tc.sort, func(t *testing.T) {
			is := is.New(t)
			q, err := query.Build(rows, query.Request{Sort: tc.sort})
			is.NoErr(err)
			var keys []string
			for _, o := range q.Sort {
				keys = append(keys, map[bool]string{true: "-"}[o.Desc]+o.Attr.Name)
			}
			is.Equal(strings.Join(keys, " "), tc.want)
		})
	}
}

func TestBuildSortInvalid(t *testing.T) {
	for _, sort := range []string{"age", "secret", "-", ",", "name,", ",name", "--name", "+name", " name", "Name", "\xff", "tags.id", "name,-tags.id"} {
		t.Run(sort, func(t *testing.T) {
			is := is.New(t)
			_, err := query.Build(rows, query.Request{Sort: sort})
			is.Equal(len(fault.All(err)), 1)
			is.Equal(fault.All(err)[0].Kind, fault.Malformed)
			is.Equal(fault.All(err)[0].Param, "sort")
		})
	}
}

func TestSortFaultContainsUnknownNames(t *testing.T) {
	is := is.New(t)
	_, err := query.Build(rows, query.Request{Sort: "age,name,emial"})
	is.True(strings.HasPrefix(fault.All(err)[0].Detail, `unknown attribute "age", "emial"; sortable attributes: uuid, name,`))
}

// Lists cannot be sorted by a set, and the fault does not list sets as sortable.
func TestSortFaultOfSets(t *testing.T) {
	is := is.New(t)
	_, err := query.Build(rows, query.Request{Sort: "-tags.id,age,tags.id"})
	is.Equal(len(fault.All(err)), 1)
	is.Equal(fault.All(err)[0].Param, "sort")
	is.Equal(fault.All(err)[0].Detail,
		`unknown attribute "age"; cannot sort by tags.id; sortable attributes: `+strings.Join(rows.SortNames(), ", "))
}

// Each case lists rows in the expected order. The order of the input does not matter.
func TestOrder(t *testing.T) {
	id := func(n byte, r row) row {
		r.ID = numbered(n)
		return r
	}
	for _, tc := range []struct {
		name, sort string
		want       []row
	}{
		{"text by its fold", "name", []row{
			id(4, row{Name: ""}), id(3, row{Name: "_"}), id(1, row{Name: "ada"}), id(2, row{Name: "Ádam"}), id(5, row{Name: "b"}),
		}},
		{"same fold: the id decides, not the text", "name", []row{
			id(1, row{Name: "b"}), id(2, row{Name: "B"}), id(3, row{Name: "b"}),
		}},
		{"descending, the id stays ascending", "-name", []row{
			id(9, row{Name: "c"}), id(1, row{Name: "b"}), id(2, row{Name: "B"}), id(0, row{Name: "a"}),
		}},
		{"nulls last", "email", []row{
			id(3, row{Email: ptr("")}), id(2, row{Email: ptr("a")}), id(0, row{}), id(1, row{}),
		}},
		{"nulls last descending", "-email", []row{
			id(2, row{Email: ptr("a")}), id(3, row{Email: ptr("")}), id(0, row{}), id(1, row{}),
		}},
		{"null numbers", "-score", []row{
			id(3, row{Score: big.NewRat(1, 2)}), id(2, row{Score: big.NewRat(1, 3)}), id(0, row{}),
		}},
		{"null ids", "owner.id", []row{
			id(2, row{Owner: ptr(numbered(1))}), id(1, row{Owner: ptr(numbered(0xf0))}), id(0, row{}),
		}},
		{"null days", "-start_on", []row{
			id(2, row{StartOn: ptr(at("2026-02-01T00:00:00Z"))}), id(3, row{StartOn: ptr(at("2026-01-31T00:00:00Z"))}), id(0, row{}),
		}},
		{"times", "created_at", []row{
			id(2, row{CreatedAt: at("2026-01-31T00:00:00.001Z")}), id(1, row{CreatedAt: at("2026-01-31T00:00:00.002Z")}),
		}},
		{"false before true", "enabled", []row{id(1, row{}), id(2, row{}), id(0, row{Enabled: true})}},
		{"true before false", "-enabled", []row{id(2, row{Enabled: true}), id(0, row{}), id(1, row{})}},
		{"whole numbers", "course_count", []row{id(2, row{CourseCount: -10}), id(1, row{CourseCount: 9}), id(0, row{CourseCount: 10})}},
		{"composite ids byte by byte", "ref", []row{id(2, row{Ref: "B"}), id(1, row{Ref: "a"}), id(0, row{Ref: "é"})}},
		{"links by fold", "-link", []row{id(2, row{Name: "Éb"}), id(1, row{Name: "ea"})}},
		{"links: the suffix counts", "link", []row{id(2, row{Name: "a!"}), id(1, row{Name: "a"}), id(0, row{Name: "a0"})}},
		{"later keys decide ties", "enabled,-course_count", []row{
			id(3, row{CourseCount: 2}), id(1, row{CourseCount: 1}), id(2, row{CourseCount: 1}), id(0, row{Enabled: true, CourseCount: 9}),
		}},
		{"ids descending", "-uuid", []row{id(2, row{}), id(1, row{}), id(0, row{})}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			q, err := query.Build(rows, query.Request{Sort: tc.sort})
			is.NoErr(err)
			compare := rows.Compare(q.Sort)
			for i := range tc.want {
				for j := range tc.want {
					order := compare(rows.Record(tc.want[i]), rows.Record(tc.want[j]))
					is.Equal(sign(order), sign(i-j)) // the order is total
				}
			}
		})
	}
}

func sign(n int) int { return min(max(n, -1), 1) }

func TestSortLimit(t *testing.T) {
	is := is.New(t)
	_, err := query.Build(rows, query.Request{Sort: strings.Repeat("name,", query.MaxSort-1) + "email"})
	is.NoErr(err)
	_, err = query.Build(rows, query.Request{Sort: strings.Repeat("name,", query.MaxSort) + "email"})
	is.Equal(fault.All(err)[0].Detail, "has too many attributes (maximum is 50)")
}

// The fault for a long sort parameter is short.
func TestSortFaultIsShort(t *testing.T) {
	for _, names := range []int{1, 10, 11, 50, 51, 30_000} {
		is := is.New(t)
		_, err := query.Build(rows, query.Request{Sort: strings.Repeat(strings.Repeat("\xff", 100)+",tags.id,age,", names)})
		is.Equal(len(fault.All(err)), 1)
		is.True(len(fault.All(err)[0].Detail) < 4000)
		is.True(strings.Count(fault.All(err)[0].Detail, "tags.id") <= 1)
	}
}
