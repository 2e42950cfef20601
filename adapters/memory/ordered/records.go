package ordered

import (
	"context"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// Records contains rows R by id and in the order of their list. Rows are immutable; a change
// replaces them, so copies share rows.
type Records[R any] struct {
	ByID Keyed[uuid.UUID, R]
	Rows Index[R]
	ID   func(R) uuid.UUID
	Log  *Log // rows written since the records were copied
}

// NewRecords returns empty Records in the order o.
func NewRecords[R any](id func(R) uuid.UUID, o Order[R]) Records[R] {
	return Records[R]{NewKeyed(id, CompareIDs), NewIndex(o), id, &Log{}}
}

// Copy returns Records with the same rows that can be changed independently.
func (rs Records[R]) Copy() Records[R] {
	return Records[R]{rs.ByID.Copy(), rs.Rows.Copy(), rs.ID, &Log{}}
}

// Has reports whether the row id exists.
func (rs Records[R]) Has(id uuid.UUID) bool {
	_, ok := rs.ByID.Get(id)
	return ok
}

// Set inserts r, or replaces the row with the same id. The replaced row must have the same place in
// the order and the same values in the sections.
func (rs Records[R]) Set(r R) {
	rs.Log.add(rs.ID(r))
	rs.ByID.Set(r)
	rs.Rows.Set(r)
}

// Remove removes r.
func (rs Records[R]) Remove(r R) {
	rs.Log.add(rs.ID(r))
	rs.ByID.Remove(rs.ID(r))
	rs.Rows.Remove(r)
}

// RemoveWithin removes and returns the first rows whose attribute attr is id, at most limit. attr
// must be a section.
func (rs Records[R]) RemoveWithin(attr string, id uuid.UUID, limit int) []R {
	removed := First(rs.Rows.Within(attr, id).From(0), limit)
	for _, r := range removed {
		rs.Remove(r)
	}
	return removed
}

// ListRecords returns the page of q from rs. derive returns the result for a row.
func ListRecords[R comparable, T any](
	ctx context.Context, q query.Query, rs Records[R], schema query.Schema[T], derive func(R) T,
) (query.Result[T], error) {
	find := Finders{"uuid": func(_ query.Attr, v query.Value) (any, bool) { return rs.ByID.Get(v.ID) }}
	return List[T](ctx, Derived(schema, rs.Rows, derive, rs.ByID.Ordered(), find), q)
}
