package query_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/query"
)

// Conditions on constants are evaluated before a store gets the query.
func TestConstants(t *testing.T) {
	own, other := numbered(7).String(), numbered(8).String()
	s := rows.WithConstant("school.id", numbered(7))
	for _, tc := range []struct{ filter, want string }{
		{"filter[school.id][eq]=" + own, "and()"},
		{"filter[school.id]=" + other, "or()"},
		{"filter[school.id][not_eq]=" + own, "or()"},
		{"filter[school.id][in][]=" + other + "&filter[school.id][in][]=" + own, "and()"},
		{"filter[school.id][not_in][]=" + other + "&filter[school.id][not_in][]=" + own, "or()"},
		{"filter[school.id][null]=true", "or()"},
		{"filter[school.id][null]=false", "and()"},
		{"filter[or][school.id]=" + other + "&filter[or][name]=x", `(or() or name ~ "x")`},
		{"filter[and][0][or][school.id]=" + own + "&filter[and][0][or][name]=x&filter[name]=y", `((and() or name ~ "x") and name ~ "y")`},
	} {
		t.Run(tc.filter, func(t *testing.T) {
			is := is.New(t)
			q, err := query.Build(s, query.Request{Terms: terms(tc.filter)})
			is.NoErr(err)
			is.Equal(show(q.Where), tc.want)
		})
	}

	t.Run("has no other value", func(t *testing.T) {
		is := is.New(t)
		_, err := query.Build(s, query.Request{Terms: terms("filter[school.id][cont]=7&filter[school.id]=7")})
		is.Equal(len(fault.All(err)), 2)
	})

	t.Run("orders nothing", func(t *testing.T) {
		is := is.New(t)
		for spec, want := range map[string]int{"school.id": 1, "-school.id,email,-name": 2} {
			q, err := query.Build(s, query.Request{Sort: spec})
			is.NoErr(err)
			is.Equal(len(q.Sort), want)
		}
		for _, spec := range []string{"school.id", "-school.id"} { // all rows are ties
			q, err := query.Build(s, query.Request{Sort: spec})
			is.NoErr(err)
			is.Equal(q.Sort, []query.Order{{Attr: s.Attr("uuid")}})
		}
	})

	t.Run("does not modify the schema", func(t *testing.T) {
		is := is.New(t)
		is.Equal(len(s.Names()), len(rows.Names())+1)
	})
}
