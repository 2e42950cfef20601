package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/query"
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

var submissionList = listsql.List[submissionRow, submission.Summary]{
	Table: "submissions",
	Columns: `r.id, r.assignment_id, r.activity_id, r.course_id, r.person_id, r.attempt_id,
		r.file_name, r.media_type, r.file_size, r.created_at`,
	Joins: []*listsql.Join{ofPerson, ofCourse, ofAssignment},
	Attrs: columns(ofLearner, map[string]listsql.Column{
		"uuid":              {Expr: "r.id"},
		"created_at":        {Expr: "r.created_at"},
		"assignment.id":     {Expr: "r.assignment_id"},
		"course_attempt.id": {Expr: "r.attempt_id"},
		"assignment_title":  ofAssignment.Text("title"),
	}),
	Sort:    submission.Schema.Default(),
	Convert: submissionRow.summary,
	Removal: ofRemovedCourse,
}

type submissionReader struct{ *session }

// List returns a page of submissions.
func (c submissionReader) List(ctx context.Context, q query.Query) (query.Result[submission.Summary], error) {
	return submissionList.Page(ctx, c.session, q)
}

// Get returns the submission id.
func (c submissionReader) Get(ctx context.Context, id submission.ID) (submission.Summary, error) {
	return submissionList.One(ctx, c.session, id.UUID)
}

type submissionRepo struct{ submissionReader }

const (
	addSubmission = `
		INSERT INTO submissions (school_id, id, assignment_id, activity_id, course_id, person_id, attempt_id,
			file_name, media_type, file_size, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`
	removeSubmissionsOf = `
		WITH gone AS (DELETE FROM submissions WHERE school_id = $1 AND person_id = $2 RETURNING id)
		SELECT id FROM gone ORDER BY id`
)

// Add keeps a new submission.
func (c submissionRepo) Add(ctx context.Context, s submission.Submission) error {
	_, err := c.Exec(ctx, addSubmission, c.SchoolID, s.ID.UUID, s.Assignment.UUID, s.Activity.UUID, s.Course.UUID,
		s.Person.UUID, s.CourseAttempt.UUID, s.File.Name, s.File.MediaType, s.File.Size, s.CreatedAt)
	return err
}

// RemoveOfPerson forgets all submissions of a person.
func (c submissionRepo) RemoveOfPerson(ctx context.Context, p person.ID) ([]submission.ID, error) {
	ids := []submission.ID{}
	err := c.SelectRows(ctx, &ids, removeSubmissionsOf, c.SchoolID, p.UUID)
	return ids, err
}
