package postgres

import (
	"context"

	"lyceum/adapters/postgres/listsql"
	"lyceum/domain/decimal"
	"lyceum/domain/enrollment"
	"lyceum/domain/query"
)

type enrollmentSummaryRow struct {
	enrollmentRow
	Progress *int64 `db:"progress"`
}

func (r enrollmentSummaryRow) summary() (enrollment.Summary, error) {
	e, err := r.enrollment()
	s := enrollment.Summary{Enrollment: e}
	if r.Progress != nil {
		p := decimal.Percent(*r.Progress)
		s.Progress = &p
	}
	return s, err
}

// latestProgress is that of the person's latest attempt in the course, in
// hundredths of a percent.
const latestProgress = `(CASE WHEN r.role = 'learner' THEN coalesce((
	SELECT a.progress FROM course_attempts a
	WHERE a.school_id = r.school_id AND a.person_id = r.person_id AND a.course_id = r.course_id
	ORDER BY a.number DESC LIMIT 1), 0) END)`

var enrollmentList = listsql.List[enrollmentSummaryRow, enrollment.Summary]{
	Table:   "enrollments",
	Columns: "r.id, r.person_id, r.course_id, r.role, r.created_at, r.updated_at, " + latestProgress + " AS progress",
	Attrs: map[string]listsql.Column{
		"uuid":       {Expr: "r.id"},
		"role":       {Expr: "r.role", Fold: `(r.role COLLATE "C")`},
		"progress":   listsql.Hundredths(latestProgress),
		"person.id":  {Expr: "r.person_id"},
		"course.id":  {Expr: "r.course_id"},
		"created_at": {Expr: "r.created_at"},
		"updated_at": {Expr: "r.updated_at"},
	},
	Sort:    enrollment.Schema.Default(),
	Convert: enrollmentSummaryRow.summary,
	Removal: ofRemovedCourse,
}

// List returns a page of enrollments.
func (c enrollmentReader) List(ctx context.Context, q query.Query) (query.Result[enrollment.Summary], error) {
	return enrollmentList.Page(ctx, c.session, q)
}

// Get returns the enrollment id.
func (c enrollmentReader) Get(ctx context.Context, id enrollment.ID) (enrollment.Summary, error) {
	return enrollmentList.One(ctx, c.session, id.UUID)
}
