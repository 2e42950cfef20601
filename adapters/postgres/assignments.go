package postgres

import (
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/domain/assignment"
	"lyceum/domain/text"
	"lyceum/ports"
)

var _ ports.AssignmentReader = assignmentReader{}

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

var assignmentList = listsql.New(listsql.Definition{
	Table:   "assignments",
	Columns: listsql.RowColumns[assignmentRow](),
	Attrs: map[string]listsql.Column{
		"uuid":       {Expr: "r.id"},
		"title":      listsql.TextColumn("title"),
		"created_at": {Expr: "r.created_at"},
	},
	Sort: assignment.Schema.Default(),
}, assignmentRow.state)

type assignmentReader = reader[assignment.ID, assignmentRow, assignment.State]

var assignmentTable = newTable("assignments", []column[assignment.State]{
	{"id", "uuid", func(s assignment.State) any { return s.ID.UUID }},
	{"title", "text", func(s assignment.State) any { return s.Title }},
	{"title_fold", "text", func(s assignment.State) any { return text.Fold(s.Title) }},
	{"created_at", "timestamptz", func(s assignment.State) any { return s.CreatedAt }},
	{"updated_at", "timestamptz", func(s assignment.State) any { return s.UpdatedAt }},
})
