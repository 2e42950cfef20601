package memory

import (
	"context"

	"lyceum/adapters/memory/ordered"
	"lyceum/domain/fault"
	"lyceum/domain/property"
	"lyceum/domain/query"
)

// tableReader reads rows T with ids K from a table.
type tableReader[K ordered.Identifier, T any] struct {
	view       view
	table      func(*state) *versioned[*ordered.Table[T]]
	properties *rowProperties[T] // nil: rows have no properties
}

// rowProperties describes the properties of rows T.
type rowProperties[T any] struct {
	resource property.Resource
	of       func(*T) (values *property.Values, defined *[]string) // the attributes Properties and Defined of a row
}

// List implements ports.Lister.
func (r tableReader[K, T]) List(ctx context.Context, q query.Query) (query.Result[T], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[T]{}, err
	}
	page, err := r.table(s).table.List(ctx, q)
	if r.properties == nil {
		return page, err
	}
	var names []string
	if !q.WithoutProperties {
		names = s.definedNames(r.properties.resource)
	}
	for i := range page.Items {
		values, defined := r.properties.of(&page.Items[i])
		*defined = names
		if q.WithoutProperties {
			*values = property.Values{}
		}
	}
	return page, err
}

// Get implements the Get of reader ports.
func (r tableReader[K, T]) Get(ctx context.Context, id K) (T, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		var none T
		return none, err
	}
	row, err := r.table(s).table.Get(ordered.UUID(id))
	if err == nil && r.properties != nil {
		_, defined := r.properties.of(&row)
		*defined = s.definedNames(r.properties.resource)
	}
	return row, err
}

// entity describes how objects E of the domain are stored as rows T with ids K.
type entity[K ordered.Identifier, T, E any] struct {
	table      func(*state) *versioned[*ordered.Table[T]]
	restore    func(T) E
	write      func(row *T, e E) // sets the attributes of row that e has
	properties *rowProperties[T] // nil: rows have no properties
}

func (e *entity[K, T, E]) reader(v view) tableReader[K, T] {
	return tableReader[K, T]{v, e.table, e.properties}
}

func (e *entity[K, T, E]) repo(w *tx) entityRepo[K, T, E] {
	return entityRepo[K, T, E]{e.reader(w), e, w}
}

// entityRepo reads and writes objects E in a transaction. It implements the methods that most
// repository ports share.
type entityRepo[K ordered.Identifier, T, E any] struct {
	tableReader[K, T]
	entity *entity[K, T, E]
	tx     *tx
}

// GetForUpdate implements the GetForUpdate of repository ports. There is nothing to lock: one
// transaction of a school runs at a time.
func (r entityRepo[K, T, E]) GetForUpdate(ctx context.Context, id K) (E, error) {
	row, err := r.Get(ctx, id)
	return r.entity.restore(row), err
}

// GetManyForShare implements the GetManyForShare of repository ports.
func (r entityRepo[K, T, E]) GetManyForShare(ctx context.Context, ids []K) (map[K]E, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	return ordered.GetMany(r.table(s).table, ids, r.entity.restore), nil
}

// Add implements the Add of repository ports.
func (r entityRepo[K, T, E]) Add(ctx context.Context, e E) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	var row T
	r.entity.write(&row, e)
	return r.table(s).writable(s.version).Insert(row)
}

// Save implements the Save of repository ports.
func (r entityRepo[K, T, E]) Save(ctx context.Context, e E) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	var changed T
	r.entity.write(&changed, e)
	table := r.table(s).writable(s.version)
	return table.Update(table.ID(&changed), func(row *T) { r.entity.write(row, e) })
}

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
