package storetest

import (
	"slices"
	"testing"

	"lyceum/domain/query"
)

// known is all rows of a list, ready to be asked thousands of questions:
// query.Schema's Evaluate makes the records of all rows for each, which takes
// longer than most stores need for the answer.
type known[T any] struct {
	schema  query.Schema[T]
	rows    []T
	records []*query.Record[T]
}

func (c listCase[T]) know(rows []T) known[T] {
	k := known[T]{schema: c.schema, rows: rows, records: make([]*query.Record[T], len(rows))}
	for i, row := range rows {
		k.records[i] = c.schema.Record(row)
	}
	return k
}

// answer returns what Evaluate does; mustKnow sees to it.
func (k known[T]) answer(q query.Query) query.Result[T] {
	sort := q.Sort
	if len(sort) == 0 {
		sort = k.schema.Default()
	}
	selects := k.schema.Compile(q.Where)
	found := slices.DeleteFunc(slices.Clone(k.records), func(r *query.Record[T]) bool { return !selects(r) })
	slices.SortFunc(found, k.schema.Compare(sort))
	found = found[min(q.Page.Offset(), int64(len(found))):]
	page := query.Result[T]{More: len(found) > q.Page.Limit(), Items: []T{}}
	for _, r := range found[:min(q.Page.Limit(), len(found))] {
		page.Items = append(page.Items, r.Row)
	}
	return page
}

// mustKnow compares the answer to q with that of the plain evaluation.
func (k known[T]) mustKnow(t *testing.T, q query.Query) {
	t.Helper()
	if wrong := diff(k.answer(q), k.schema.Evaluate(q, k.rows)); wrong != "" {
		t.Fatalf("%s\n(-want +got)\n%s", describe(q), wrong)
	}
}
