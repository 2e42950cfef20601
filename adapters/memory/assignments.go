package memory

import (
	"context"

	"github.com/google/uuid"
	"lyceum/domain/assignment"
	"lyceum/domain/query"
	"lyceum/ports"
)

var (
	_ ports.AssignmentReader = assignmentReader{}
	_ ports.AssignmentRepo   = assignments{}
)

var assignmentKind = kind[assignment.State]{
	name:   assignment.Type,
	schema: assignment.Schema,
	id:     func(a *assignment.State) uuid.UUID { return a.ID.UUID },
	clone:  func(a assignment.State) assignment.State { return a },
}

type assignmentReader struct{ view view }

func (r assignmentReader) List(ctx context.Context, q query.Query) (query.Result[assignment.State], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[assignment.State]{}, err
	}
	return s.assignments.table.list(ctx, q)
}

func (r assignmentReader) Get(ctx context.Context, id assignment.ID) (assignment.State, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return assignment.State{}, err
	}
	return s.assignments.table.get(id.UUID)
}

type assignments struct {
	assignmentReader
	tx *tx
}

func (r assignments) Add(ctx context.Context, a assignment.Assignment) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	return s.assignments.own(s.version).insert(a.State())
}
