package ports

import (
	"context"

	"lyceum/domain/query"
)

// Lister lists the records of one kind.
type Lister[T any] interface {
	// List returns the page of q: of the rows that satisfy q.Where, in the order
	// of q.Sort and then of the uuid, those of q.Page, and whether more follow.
	// It means what package query says, in every store: the same rows, in the
	// same order, as query.Schema's Evaluate finds. Counts are up to date with
	// everything committed. A page behind the end is empty. What is hidden (see
	// query.Field), such as the names of the people of a list of scores, serves
	// conditions and order; the rows that come may lack it.
	//
	// Who is named as q.Reader and reads the pages of a list in their order finds
	// the same while nothing changes.
	List(ctx context.Context, q query.Query) (query.Result[T], error)
}
