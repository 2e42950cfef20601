package lists

import (
	"reflect"
	"slices"
	"testing"

	"github.com/google/uuid"
	"lyceum/domain/query"
	"lyceum/test/conformance/storetest/fixture"
)

// ExpectedRows contains all rows of a list and their query records. Tests run thousands of queries
// on the same rows. Schema.Evaluate would build the records for each query, which takes longer than
// most stores need for the query.
type ExpectedRows[T any] struct {
	schema  query.Schema[T]
	rows    []T
	records []*query.Record[T]
}

// ExpectedRows returns the rows with their query records.
func (c *Case[T]) ExpectedRows(rows []T) ExpectedRows[T] {
	k := ExpectedRows[T]{schema: c.Schema, rows: rows, records: make([]*query.Record[T], len(rows))}
	for i, row := range rows {
		k.records[i] = c.Schema.Record(row)
	}
	return k
}

// asStored returns rows, with those rows replaced by the ones that the store returns that are
// equal, but not in all details that reflect.DeepEqual compares, such as nil and empty lists.
// DeepEqual is much faster than diff.
func (c *Case[T]) asStored(s fixture.Tenant, rows []T) []T {
	s.T.Helper()
	if c.number != nil || c.key != nil || !reflect.DeepEqual(fixture.WithoutHidden(rows), any(rows)) {
		return rows // equal in all details, or with hidden fields, which the store need not return
	}
	page, err := c.of(s.Read()).List(s.Context(), query.Query{Page: query.AllRows()})
	s.Must(err)
	stored := make(map[uuid.UUID]T, len(rows))
	for _, row := range page.Items {
		stored[c.ids(row)[0]] = row
	}
	rows = slices.Clone(rows)
	for i, row := range rows {
		if found, ok := stored[c.ids(row)[0]]; ok && fixture.Diff(found, row) == "" {
			rows[i] = found
		}
	}
	return rows
}

// evaluate returns the same rows as Schema.Evaluate; mustEvaluate checks this.
func (k ExpectedRows[T]) evaluate(q query.Query) query.Result[T] {
	page := k.schema.EvaluateRecords(q, k.records)
	if page.Items == nil {
		page.Items = []T{}
	}
	return page
}

// mustEvaluate checks that evaluate and Schema.Evaluate return the same rows for q.
func (k ExpectedRows[T]) mustEvaluate(t *testing.T, q query.Query) {
	t.Helper()
	if wrong := fixture.Diff(k.evaluate(q), k.schema.Evaluate(q, k.rows)); wrong != "" {
		t.Fatalf("%s\n(-want +got)\n%s", describe(q), wrong)
	}
}
