package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/learnerlists"
	"lyceum/adapters/postgres/listsql"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/submission"
	"lyceum/ports"
)

var _ ports.SubmissionRepo = submissionRepo{}

type submissionRow struct {
	ID         uuid.UUID `db:"id"`
	Assignment uuid.UUID `db:"assignment_id"`
	Activity   uuid.UUID `db:"activity_id"`
	Course     uuid.UUID `db:"course_id"`
	Person     uuid.UUID `db:"person_id"`
	Attempt    uuid.UUID `db:"attempt_id"`
	FileName   string    `db:"file_name"`
	MediaType  string    `db:"media_type"`
	FileSize   int64     `db:"file_size"`
	CreatedAt  time.Time `db:"created_at"`
}

func (r submissionRow) summary() (submission.Summary, error) {
	return submission.Summary{
		Submission: submission.Submission{
			ID: submission.ID{UUID: r.ID}, Assignment: assignment.ID{UUID: r.Assignment},
			Activity: activity.ID{UUID: r.Activity}, Course: course.ID{UUID: r.Course},
			Person: person.ID{UUID: r.Person}, CourseAttempt: attempt.ID{UUID: r.Attempt},
			File:      submission.File{Name: r.FileName, MediaType: r.MediaType, Size: r.FileSize},
			CreatedAt: r.CreatedAt.UTC(),
		},
	}, nil
}

var submissionList = listsql.New(listsql.Definition{
	Table:   "submissions",
	Columns: listsql.RowColumns[submissionRow](),
	Joins:   []*listsql.Join{learnerlists.JoinPerson, learnerlists.JoinCourse, learnerlists.JoinAssignment},
	Attrs: learnerlists.Columns(learnerlists.LearnerAttrs, map[string]listsql.Column{
		"uuid":              {Expr: "r.id"},
		"created_at":        {Expr: "r.created_at"},
		"activity.id":       {Expr: "r.activity_id"},
		"assignment.id":     {Expr: "r.assignment_id"},
		"course_attempt.id": {Expr: "r.attempt_id"},
		"assignment_title":  learnerlists.JoinAssignment.Text("title"),
	}),
	Sort:    submission.Schema.Default(),
	Removal: listsql.HideRemovedCourses,
}, submissionRow.summary)

type submissionReader = reader[submission.ID, submissionRow, submission.Summary]

var submissionTable = newTable("submissions", []column[submission.Submission]{
	{"id", "uuid", func(s submission.Submission) any { return s.ID.UUID }},
	{"assignment_id", "uuid", func(s submission.Submission) any { return s.Assignment.UUID }},
	{"activity_id", "uuid", func(s submission.Submission) any { return s.Activity.UUID }},
	{"course_id", "uuid", func(s submission.Submission) any { return s.Course.UUID }},
	{"person_id", "uuid", func(s submission.Submission) any { return s.Person.UUID }},
	{"attempt_id", "uuid", func(s submission.Submission) any { return s.CourseAttempt.UUID }},
	{"file_name", "text", func(s submission.Submission) any { return s.File.Name }},
	{"media_type", "text", func(s submission.Submission) any { return s.File.MediaType }},
	{"file_size", "bigint", func(s submission.Submission) any { return s.File.Size }},
	{"created_at", "timestamptz", func(s submission.Submission) any { return s.CreatedAt }},
})

type submissionRepo struct{ submissionReader }

const deleteSubmissionsOf = `
	WITH gone AS (
		DELETE FROM submissions WHERE school_id = $1 AND ctid = ANY (ARRAY (
			SELECT ctid FROM submissions WHERE school_id = $1 AND person_id = $2 ORDER BY created_at DESC, id LIMIT $3 FOR UPDATE
		)) RETURNING id
	)
	SELECT id FROM gone ORDER BY id`

// Add implements ports.SubmissionRepo.
func (r submissionRepo) Add(ctx context.Context, s submission.Submission) error {
	return insert(ctx, r.session, submissionTable, s)
}

// DeleteByPerson implements ports.SubmissionRepo.
func (r submissionRepo) DeleteByPerson(ctx context.Context, p person.ID, limit int) ([]submission.ID, error) {
	return getIDs[submission.ID](ctx, r.session, deleteSubmissionsOf, r.session.SchoolID, p.UUID, limit)
}
