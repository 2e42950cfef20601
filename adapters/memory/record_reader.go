package memory

import (
	"context"

	"lyceum/adapters/memory/ordered"
	"lyceum/domain/fault"
	"lyceum/domain/query"
)

// recordReader reads records R with ids K. It returns them as rows T, which also contain values of
// other records.
type recordReader[K ordered.Identifier, R comparable, T any] struct {
	view    view
	records func(*state) ordered.Records[R]
	schema  query.Schema[T]
	show    func(*state, R) T
}

// List implements ports.Lister.
func (r recordReader[K, R, T]) List(ctx context.Context, q query.Query) (query.Result[T], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[T]{}, err
	}
	return ordered.ListRecords(ctx, q, r.records(s), r.schema, func(kept R) T { return r.show(s, kept) })
}

// Get implements the Get of reader ports.
func (r recordReader[K, R, T]) Get(ctx context.Context, id K) (row T, err error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return row, err
	}
	kept, ok := r.records(s).ByID.Get(ordered.UUID(id))
	if !ok {
		return row, fault.RecordNotFound()
	}
	return r.show(s, kept), nil
}

// lister implements ports.Lister with the listing of the current state.
type lister[T any] struct {
	view    view
	listing func(*state) ordered.Listing
}

// List implements ports.Lister.
func (l lister[T]) List(ctx context.Context, q query.Query) (query.Result[T], error) {
	s, err := l.view.current(ctx)
	if err != nil {
		return query.Result[T]{}, err
	}
	return ordered.List[T](ctx, l.listing(s), q)
}
