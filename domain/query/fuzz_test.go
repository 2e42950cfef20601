package query_test

import (
	"slices"
	"testing"

	"lyceum/domain/fault"
	"lyceum/domain/query"
)

// For every request, Build returns either faults or a query that can be evaluated.
func FuzzBuild(f *testing.F) {
	for _, seed := range []struct{ filter, search, sort string }{
		{"filter[name][eq]=Acme", "", ""},
		{"filter[or][0][name][in][]=A&filter[or][0][email][cont]=x&filter[or][1][link][end]=B", "ada lovelace", "-name"},
		{"filter[created_at][lteq]=2026-01-31T15:04:05.1234 02:00&filter[start_on]=2026-01-31", "", "-seen_at,id"},
		{"filter[and][and][or][score][gt]=1.5e-3&filter[course_count][not_in]=9&filter[enabled]=T", "%", "score"},
		{"filter[uuid]=00000000-0000-0000-0000-000000000001&filter[ref][null]=0", "É\u0301", "age,"},
		{"filter[or][tags.id]=00000000-0000-0000-0000-000000000001&filter[or][tags.id][null]=t", "", "tags.id"},
		{"filter=&filter[]=&filter[name][]=x&filter[[name]]=x", "\x00", ","},
	} {
		f.Add(seed.filter, seed.search, seed.sort)
	}
	all := sample()
	records := make([]*query.Record[row], len(all))
	for i, r := range all {
		records[i] = rows.Record(r)
	}
	f.Fuzz(func(t *testing.T, filter, search, sort string) {
		q, err := query.Build(rows, query.Request{
			Terms: terms(filter), Search: search, Sort: sort, Page: query.AllRows(),
		})
		if err != nil {
			faults := fault.All(err)
			if len(faults) == 0 {
				t.Fatalf("not a fault: %v", err)
			}
			for _, one := range faults {
				if one.Kind != fault.Malformed || one.Param == "" || one.Detail == "" {
					t.Fatalf("an incomplete fault: %+v", one)
				}
			}
			return
		}
		found := rows.Evaluate(q, all).Items
		compare := rows.Compare(q.Sort)
		if !slices.IsSortedFunc(found, func(a, b row) int { return compare(rows.Record(a), rows.Record(b)) }) {
			t.Fatal("the rows are not in the requested order")
		}
		selected := rows.Compile(q.Where)
		count := 0
		for _, r := range records {
			if selected(r) {
				count++
			}
		}
		if count != len(found) {
			t.Fatalf("the filter selects %d rows, the list has %d", count, len(found))
		}
	})
}
