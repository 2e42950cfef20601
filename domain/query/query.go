package query

// Query is a parsed and validated list request.
type Query struct {
	Where Expr    // nil: every row
	Sort  []Order // most significant first; ties are ordered by uuid
	Page  Page

	// Cursor determines where the page starts or ends. If it is set, only the limit of Page is
	// used; if it is nil, the page is counted from the first row.
	Cursor *Cursor

	Count bool // whether to compute Result.Total

	// WithoutProperties means that rows are returned without their properties, which may be large,
	// and without the names of the defined properties.
	// No key of Sort may be a property then.
	WithoutProperties bool
}

// And returns q restricted to the rows that e selects.
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
	More  bool // whether there is at least one more row after the page
	// Total is the number of rows that satisfy Query.Where, on all pages; 0 unless Query.Count.
	Total int64
}
