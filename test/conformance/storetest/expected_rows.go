package storetest

import (
	"testing"

	"lyceum/domain/query"
)

// expectedRows contains all rows of a list and their query records. Tests run thousands of queries
// on the same rows. Schema.Evaluate would build the records for each query, which takes longer than
// most stores need for the query.
type expectedRows[T any] struct {
	schema  query.Schema[T]
	rows    []T
	records []*query.Record[T]
}

func (c *listCase[T]) expectedRows(rows []T) expectedRows[T] {
	k := expectedRows[T]{schema: c.schema, rows: rows, records: make([]*query.Record[T], len(rows))}
	for i, row := range rows {
		k.records[i] = c.schema.Record(row)
	}
	return k
}

// evaluate returns the same rows as Schema.Evaluate; mustEvaluate checks this.
func (k expectedRows[T]) evaluate(q query.Query) query.Result[T] {
	page := k.schema.EvaluateRecords(q, k.records)
	if page.Items == nil {
		page.Items = []T{}
	}
	return page
}

// mustEvaluate checks that evaluate and Schema.Evaluate return the same rows for q.
func (k expectedRows[T]) mustEvaluate(t *testing.T, q query.Query) {
	t.Helper()
	if wrong := diff(k.evaluate(q), k.schema.Evaluate(q, k.rows)); wrong != "" {
		t.Fatalf("%s\n(-want +got)\n%s", describe(q), wrong)
	}
}
