package memory

import (
	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/assignment"
	"lyceum/ports"
)

var _ ports.AssignmentReader = assignments{}

var assignmentKind = ordered.Kind[assignment.State]{
	Name:   assignment.Type,
	Schema: assignment.Schema,
	ID:     func(a *assignment.State) uuid.UUID { return a.ID.UUID },
	Clone:  func(a assignment.State) assignment.State { return a },
}

var assignmentEntity = entity[assignment.ID, assignment.State, assignment.Assignment]{
	table:   func(s *state) *versioned[*ordered.Table[assignment.State]] { return &s.assignments },
	restore: assignment.Restore,
	write:   func(row *assignment.State, a assignment.Assignment) { *row = a.State() },
}

type assignments = entityRepo[assignment.ID, assignment.State, assignment.Assignment]
