package ports

import (
	"context"

	"lyceum/domain/query"
)

// Lister lists the records of one kind.
type Lister[T any] interface {
	// List returns the page of q: of the rows that satisfy q.Where, in the order
	// of q.Sort and then of the uuid, those of q.Page, and whether more follow.
	// With q.Cursor, the page is q.Page.Limit rows after the cursor, or before it.
	// It means what package query says, in every store: the same rows, in the
	// same order, as query.Schema's Evaluate finds in the committed rows of one
	// moment; what was read before changes nothing. Counts are up to date with
	// everything committed. A page past the end is empty. What is hidden (see
	// query.Field), such as the names of the people of a list of scores, serves
	// conditions and order; the rows returned may lack it. The values of q.Sort
	// and of the uuid are always in the rows, so that query.Schema's Edge finds
	// the cursor of the next page.
	List(ctx context.Context, q query.Query) (query.Result[T], error)
}
