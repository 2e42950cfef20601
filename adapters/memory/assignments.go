package memory

import (
	"context"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/assignment"
	"lyceum/domain/query"
	"lyceum/ports"
)

var (
	_ ports.AssignmentReader = assignmentReader{}
	_ ports.AssignmentRepo   = assignments{}
)

var assignmentKind = ordered.Kind[assignment.State]{
	Name:   assignment.Type,
	Schema: assignment.Schema,
	ID:     func(a *assignment.State) uuid.UUID { return a.ID.UUID },
	Clone:  func(a assignment.State) assignment.State { return a },
}

type assignmentReader struct{ view view }

func (r assignmentReader) List(ctx context.Context, q query.Query) (query.Result[assignment.State], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[assignment.State]{}, err
	}
	return s.assignments.table.List(ctx, q)
}

func (r assignmentReader) Get(ctx context.Context, id assignment.ID) (assignment.State, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return assignment.State{}, err
	}
	return s.assignments.table.Get(id.UUID)
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
	return s.assignments.own(s.version).Insert(a.State())
}
