package query

// Query is one list request, checked and typed.
type Query struct {
	Where Expr    // nil selects every row
	Sort  []Order // from the most to the least significant; the uuid decides ties
	Page  Page

	// Cursor is where the page begins or ends. Nil: the page is counted from the
	// first row; otherwise only the limit of Page matters.
	Cursor *Cursor
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
	More  bool // whether at least one further row exists after this page
}
