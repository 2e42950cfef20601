package query

import "github.com/google/uuid"

// Query is one list request, checked and typed.
type Query struct {
	Where Expr    // nil selects every row
	Sort  []Order // from the most to the least significant; the uuid decides ties
	Page  Page

	// Reader is who follows the pages of the list, zero for nobody in particular.
	// It changes nothing of what a page of an unchanged list holds. A store may
	// remember for a while where a page ended for a reader, and begin the reader's
	// next page there, whatever has come or gone before it meanwhile.
	Reader uuid.UUID
}

// And returns the query for those rows of q that e selects too.
func (q Query) And(e Expr) Query {
	if q.Where == nil {
		q.Where = e
	} else {
		q.Where = And{e, q.Where}
	}
	return q
}

// Order is one key of a sort.
type Order struct {
	Attr Attr
	Desc bool
}

// Result is a page of rows.
type Result[T any] struct {
	Items []T
	More  bool // whether at least one further row exists behind this page
}
