package ports

import (
	"context"

	"lyceum/domain/query"
)

// Lister lists the records of one kind.
type Lister[T any] interface {
	// List returns the page of q: of the rows that satisfy q.Where, ordered by q.Sort and then by
	// uuid, the rows of q.Page, and whether more follow. With q.Cursor the page is the q.Page.Limit
	// rows after the cursor, or before it.
	//
	// Package query defines the meaning for every store: the rows and the order are those that
	// query.Schema's Evaluate returns for the committed rows of one moment, regardless of earlier
	// reads. Counts reflect every committed transaction. A page past the end is empty.
	//
	// A hidden attribute (query.Field), such as the person's name in a list of scores, can be used
	// in conditions and order; the returned rows may lack it. They always contain the values of
	// q.Sort and of the uuid, so that query.Schema's Edge can build the cursor of the next page.
	List(ctx context.Context, q query.Query) (query.Result[T], error)
}
