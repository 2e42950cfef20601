package query_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/query"
)

type bill struct {
	id    uuid.UUID
	items int64
	paid  *time.Time
}

var bills = query.Define(
	query.UUIDField("uuid", func(b *bill) uuid.UUID { return b.id }),
	query.IntegerField("items", func(b *bill) int64 { return b.items }),
	query.OptionalTime("paid_at", func(b *bill) *time.Time { return b.paid }),
	query.DerivedText[bill]("status", query.Where("paid_at", query.Null, query.Value{Bool: true}), "open", "paid"),
	query.DerivedBoolean[bill]("due", query.And{
		query.Where("paid_at", query.Null, query.Value{Bool: true}),
		query.Or{
			query.Where("items", query.Gteq, query.Value{Int: 3}),
			query.Where("items", query.Eq, query.Value{Int: 1}),
		},
	}),
).OrderBy("status,items")

// A derived attribute has the value of its definition. Lists can be filtered and sorted by it.
func TestDerived(t *testing.T) {
	now := time.Now()
	tests := map[string]struct {
		bill   bill
		status string
		due    bool
	}{
		"paid":               {bill{items: 3, paid: &now}, "paid", false},
		"open with no item":  {bill{}, "open", false},
		"open with one item": {bill{items: 1}, "open", true},
		"open with two":      {bill{items: 2}, "open", false},
		"open with many":     {bill{items: 4}, "open", true},
	}
	due, status := bills.Boolean("due"), bills.Text("status")
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(due(&test.bill), test.due)
			is.Equal(status(&test.bill), test.status)
			for _, c := range []struct {
				cond  query.Cond
				holds bool
			}{
				{query.Cond{Attr: bills.Attr("due"), Op: query.Eq, Values: []query.Value{{Bool: true}}}, test.due},
				{query.Cond{Attr: bills.Attr("due"), Op: query.NotEq, Values: []query.Value{{Bool: true}}}, !test.due},
				{query.Cond{Attr: bills.Attr("status"), Op: query.Start, Values: []query.Value{{Fold: "op"}}}, test.status == "open"},
			} {
				is.Equal(bills.Compile(c.cond)(bills.Record(test.bill)), c.holds)
			}
		})
	}
	is := is.New(t)
	rows := []bill{{items: 1, paid: &now}, {items: 2}, {items: 1}}
	sorted := bills.Evaluate(query.Query{Page: query.NewPage(1, 10)}, rows)
	is.Equal(sorted.Items, []bill{{items: 1}, {items: 2}, {items: 1, paid: &now}}) // by status, then by items
}

// Define panics if a derived attribute is not defined by conditions that compare stored attributes
// without folds.
func TestDerivedDefinitions(t *testing.T) {
	for name, where := range map[string]query.Expr{
		"an unknown attribute":  query.Where("price", query.Eq, query.Value{Int: 1}),
		"a derived attribute":   query.Where("first", query.Eq, query.Value{Bool: true}),
		"a comparison of folds": query.Where("title", query.Cont, query.Value{Fold: "x"}),
		"in a part of a part":   query.And{query.Or{query.Where("price", query.Eq, query.Value{})}},
		"a nil condition":       nil,
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("it was accepted")
				}
			}()
			query.Define(
				query.UUIDField("uuid", func(b *bill) uuid.UUID { return b.id }),
				query.IntegerField("items", func(b *bill) int64 { return b.items }),
				query.TextField("title", func(*bill) string { return "" }),
				query.DerivedBoolean[bill]("first", query.Where("items", query.Eq, query.Value{Int: 1})),
				query.DerivedBoolean[bill]("second", where),
			)
		})
	}
}
