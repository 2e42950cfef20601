package postgres

import (
	"context"

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

var enrollmentList = listing[enrollmentSummaryRow, enrollment.Summary]{
	table:   "enrollments",
	columns: "r.id, r.person_id, r.course_id, r.role, r.created_at, r.updated_at, " + latestProgress + " AS progress",
	attrs: map[string]column{
		"uuid":       {expr: "r.id"},
		"role":       {expr: "r.role", fold: `(r.role COLLATE "C")`},
		"progress":   hundredths(latestProgress),
		"person.id":  {expr: "r.person_id"},
		"course.id":  {expr: "r.course_id"},
		"created_at": {expr: "r.created_at"},
		"updated_at": {expr: "r.updated_at"},
	},
	sort:    enrollment.Schema.Default(),
	convert: enrollmentSummaryRow.summary,
	removal: ofRemovedCourse,
}

// List returns a page of enrollments.
func (c enrollmentReader) List(ctx context.Context, q query.Query) (query.Result[enrollment.Summary], error) {
	return enrollmentList.page(ctx, c.session, q)
}

// Get returns the enrollment id.
func (c enrollmentReader) Get(ctx context.Context, id enrollment.ID) (enrollment.Summary, error) {
	return enrollmentList.one(ctx, c.session, id.UUID)
}
