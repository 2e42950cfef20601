package query_test

import (
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/query"
)

// Each kind of attribute supports these predicates.
func TestPredicatesOfKinds(t *testing.T) {
	all := []string{
		"eq", "not_eq", "in", "not_in", "cont", "not_cont", "start", "end", "lt", "lteq", "gt", "gteq", "null",
	}
	identity := []string{"eq", "not_eq", "in", "not_in", "null"}
	ordered := []string{"eq", "not_eq", "in", "not_in", "lt", "lteq", "gt", "gteq", "null"}
	for _, tc := range []struct {
		attribute, value string
		takes            []string
	}{
		{"name", "x", all},
		{"email", "x", all},
		{"link", "x", all},
		{"uuid", "00000000-0000-0000-0000-000000000001", identity},
		{"owner.id", "00000000-0000-0000-0000-000000000001", identity},
		{"tags.id", "00000000-0000-0000-0000-000000000001", identity},
		{"ref", "x", identity},
		{"course_count", "1", ordered},
		{"score", "1.5", ordered},
		{"start_on", "2026-01-02", ordered},
		{"created_at", "2026-01-02", ordered},
		{"enabled", "true", []string{"eq", "not_eq", "in", "null"}},
	} {
		for _, predicate := range all {
			t.Run(tc.attribute+" "+predicate, func(t *testing.T) {
				is := is.New(t)
				value := tc.value
				if predicate == "null" {
					value = "true"
				}
				filter := "filter[" + tc.attribute + "][" + predicate + "]=" + value
				_, err := query.Build(rows, query.Request{Terms: terms(filter)})
				is.Equal(err == nil, slices.Contains(tc.takes, predicate))
			})
		}
	}
}

// A predicate selects the same rows for every ordered kind. The rows are low, mid, high and none;
// the attribute of none is null.
func TestTruthOfOrderedKinds(t *testing.T) {
	predicates := []struct{ filter, want string }{
		{"[eq]=mid", "mid"},
		{"[not_eq]=mid", "low high"},
		{"[in][]=low&[in][]=high", "low high"},
		{"[eq][]=low&[eq][]=high", "low high"},
		{"[not_in][]=low&[not_in][]=high", "mid"},
		{"[not_eq][]=low&[not_eq][]=high", "mid"},
		{"[lt]=mid", "low"},
		{"[lteq]=mid", "low mid"},
		{"[gt]=mid", "high"},
		{"[gteq]=mid", "mid high"},
		{"[lt][]=low&[lt][]=mid", "low"},
		{"[gteq][]=high&[gteq][]=mid", "mid high"},
		{"[lt]=low", ""},
		{"[gt]=high", ""},
		{"[null]=true", "none"},
		{"[null]=false", "low mid high"},
		{"[null][]=true&[null][]=false", "low mid high none"},
	}
	for _, k := range orderedKinds {
		for _, p := range predicates {
			t.Run(k.attribute+" "+p.filter, func(t *testing.T) {
				is := is.New(t)
				is.Equal(names(k.query(t, p.filter), k.rows()...), p.want)
			})
		}
	}
}

// Identifiers support only equality.
func TestTruthOfIdentities(t *testing.T) {
	for _, tc := range []struct{ filter, want string }{
		{"[eq]=mid", "mid"},
		{"[not_eq]=mid", "low high"},
		{"[in][]=low&[in][]=high", "low high"},
		{"[not_in][]=low&[not_in][]=high", "mid"},
		{"[null]=true", "none"},
		{"[null]=false", "low mid high"},
	} {
		t.Run(tc.filter, func(t *testing.T) {
			is := is.New(t)
			is.Equal(names(owners.query(t, tc.filter), owners.rows()...), tc.want)
		})
	}
}
