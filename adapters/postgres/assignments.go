package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/domain/assignment"
	"lyceum/domain/query"
	"lyceum/domain/text"
	"lyceum/ports"
)

var _ ports.AssignmentRepo = assignmentRepo{}

type assignmentRow struct {
	ID        uuid.UUID `db:"id"`
	Title     string    `db:"title"`
	CreatedAt time.Time `db:"created_at"`
	UpdatedAt time.Time `db:"updated_at"`
}

func (r assignmentRow) state() (assignment.State, error) {
	return assignment.State{
		ID: assignment.ID{UUID: r.ID}, Title: r.Title, CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}, nil
}

var assignmentList = listsql.List[assignmentRow, assignment.State]{
	Table:   "assignments",
	Columns: "r.id, r.title, r.created_at, r.updated_at",
	Attrs: map[string]listsql.Column{
		"uuid":       {Expr: "r.id"},
		"title":      listsql.TextColumn("title"),
		"created_at": {Expr: "r.created_at"},
	},
	Sort:    assignment.Schema.Default(),
	Convert: assignmentRow.state,
}

type assignmentReader struct{ *session }

// List returns a page of assignments.
func (c assignmentReader) List(ctx context.Context, q query.Query) (query.Result[assignment.State], error) {
	return assignmentList.Page(ctx, c.session, q)
}

// Get returns the assignment id.
func (c assignmentReader) Get(ctx context.Context, id assignment.ID) (assignment.State, error) {
	return assignmentList.One(ctx, c.session, id.UUID)
}

type assignmentRepo struct{ assignmentReader }

const addAssignment = `
	INSERT INTO assignments (school_id, id, title, title_fold, created_at, updated_at)
	VALUES ($1, $2, $3, $4, $5, $6)`

// Add keeps a new assignment.
func (c assignmentRepo) Add(ctx context.Context, a assignment.Assignment) error {
	s := a.State()
	_, err := c.Exec(ctx, addAssignment, c.SchoolID, s.ID.UUID, s.Title, text.Fold(s.Title), s.CreatedAt, s.UpdatedAt)
	return err
}
