package ports

import (
	"context"

	"lyceum/domain/query"
)

// Lister lists the records of one kind.
type Lister[T any] interface {
	// List returns the page of q. It selects the rows that satisfy q.Where, orders them by q.Sort
	// and then by uuid, and returns the rows of q.Page and whether more rows follow. If q.Cursor is
	// set, the page consists of the q.Page.Limit rows after or before the cursor.
	//
	// Package query defines the result for every store: the rows and their order are the same as in
	// the result of query.Schema's Evaluate for the rows committed at one instant, regardless of
	// earlier reads. Counts include every committed transaction. A page after the last one is
	// empty.
	//
	// If q.Count is set, the result also contains the number of all rows that satisfy q.Where,
	// regardless of q.Page and q.Cursor. The rows are counted at one instant, which may differ from
	// the instant of the page.
	//
	// If q.WithoutProperties is set, the returned people, courses and groups have no properties,
	// and their field Defined is nil.
	//
	// A hidden attribute (query.Field), such as the person's name in a list of scores, can be used
	// in conditions and in the order; the returned rows need not contain it. They always contain
	// the values of q.Sort and the uuid, so that query.Schema's Edge can build the cursor of the
	// next page.
	List(ctx context.Context, q query.Query) (query.Result[T], error)
}
