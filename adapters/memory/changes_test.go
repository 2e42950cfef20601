package memory_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/audit"
	"lyceum/domain/change"
	"lyceum/domain/query"
)

// A page of the change feed visits only its own changes, however long the feed is. Visiting a change
// allocates memory.
func TestPagesOfChangesVisitFewRows(t *testing.T) {
	is := is.New(t)
	store, s := newSchool(t)
	addPeople(t, store, s, 0, 5000)
	position := change.Schema.Attr("uuid")
	page := func(where query.Expr) []change.Change {
		q := query.Query{Where: where, Sort: change.Schema.Default(), Page: query.NewPage(1, 10)}
		found, err := store.Read(s).Changes.Page(t.Context(), q)
		is.NoErr(err)
		return found.Items
	}
	for _, tt := range []struct {
		op        query.Op
		positions []int64
		want      []int64
	}{
		{query.Gt, []int64{1000}, []int64{1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010}},
		{query.Eq, []int64{4000, 7, 1 << 40}, []int64{7, 4000}},
	} {
		where := query.Cond{Attr: position, Op: tt.op}
		for _, p := range tt.positions {
			where.Values = append(where.Values, query.Value{Int: p})
		}
		var got []int64
		for _, c := range page(query.And{where}) {
			got = append(got, c.Position)
		}
		is.Equal(got, tt.want)
		is.True(testing.AllocsPerRun(3, func() { page(query.And{where}) }) < 500)
	}
}

// A filter for the IDs of events visits only these events, however long the audit trail is.
func TestEventsByIDVisitFewRows(t *testing.T) {
	is := is.New(t)
	store, s := newSchool(t)
	addPeople(t, store, s, 0, 5000)
	where := query.And{query.Cond{Attr: audit.Schema.Attr("uuid"), Op: query.Eq, Values: []query.Value{{Int: 7}, {Int: 4000}, {Int: 1 << 40}}}}
	page := func() []audit.Event {
		found, err := store.Read(s).Audit.Page(t.Context(), query.Query{Where: where, Sort: audit.Schema.Default(), Page: query.NewPage(1, 10)})
		is.NoErr(err)
		return found.Items
	}
	found := page()
	is.Equal(len(found), 2)
	is.Equal([]int64{found[0].Position, found[1].Position}, []int64{4000, 7}) // the newest first
	is.True(testing.AllocsPerRun(3, func() { page() }) < 500)
}

// A filter for types and actions computes no entry of other changes and events.
func TestFiltersForKindsOfEvents(t *testing.T) {
	is := is.New(t)
	store, s := newSchool(t)
	addPeople(t, store, s, 0, 5000)
	eq := func(a query.Attr, value string) query.Expr {
		return query.And{query.Cond{Attr: a, Op: query.Eq, Values: []query.Value{{Text: value}}}}
	}
	changes := func(where query.Expr) int {
		q := query.Query{Where: where, Sort: change.Schema.Default(), Page: query.NewPage(1, 10)}
		found, err := store.Read(s).Changes.Page(t.Context(), q)
		is.NoErr(err)
		return len(found.Items)
	}
	events := func(where query.Expr) int {
		q := query.Query{Where: where, Sort: audit.Schema.Default(), Page: query.NewPage(1, 10), Count: true}
		found, err := store.Read(s).Audit.Page(t.Context(), q)
		is.NoErr(err)
		return int(found.Total)
	}
	for _, tt := range []struct {
		list  func(where query.Expr) int
		where query.Expr
		want  int
	}{
		{changes, eq(change.Schema.Attr("record.type"), "coupons"), 0},
		{changes, eq(change.Schema.Attr("action"), "deleted"), 0},
		{changes, eq(change.Schema.Attr("record.type"), "people"), 10},
		{events, eq(audit.Schema.Attr("record_type"), "coupons"), 0},
		{events, eq(audit.Schema.Attr("action"), "deleted"), 0},
	} {
		is.Equal(tt.list(tt.where), tt.want)
		is.True(testing.AllocsPerRun(3, func() { tt.list(tt.where) }) < 500)
	}
	is.Equal(events(eq(audit.Schema.Attr("record_type"), "people")), 5000)
}
