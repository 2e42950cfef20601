package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
	"lyceum/ports"
)

var _ ports.StructureRepo = structureRepo{}

const (
	courseKnown  = `SELECT id FROM courses WHERE school_id = $1 AND id = $2`
	activitiesOf = `SELECT ` + activityColumns + ` FROM activities r WHERE r.school_id = $1 AND r.course_id = $2`

	loadAssignments = `SELECT id, title, created_at, updated_at FROM assignments
		WHERE school_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id`
	// The rows are looked up one by one: there are few.
	begunActivities = `
		SELECT k.id FROM unnest($2::uuid[]) k (id)
		WHERE EXISTS (SELECT FROM completions f WHERE f.school_id = $1 AND f.activity_id = k.id OFFSET 0)
			OR EXISTS (SELECT FROM events f WHERE f.school_id = $1 AND f.activity_id = k.id OFFSET 0)
			OR EXISTS (SELECT FROM quiz_attempts f WHERE f.school_id = $1 AND f.activity_id = k.id OFFSET 0)
			OR EXISTS (SELECT FROM submissions f WHERE f.school_id = $1 AND f.activity_id = k.id OFFSET 0)`
	begunQuizzes = `
		SELECT k.id FROM unnest($2::uuid[]) k (id)
		WHERE EXISTS (SELECT FROM quiz_attempts f WHERE f.school_id = $1 AND f.quiz_id = k.id OFFSET 0)`
)

type structureReader struct{ *session }

// Get returns the structure of the course.
func (c structureReader) Get(ctx context.Context, id course.ID) (found structure.Structure, err error) {
	err = c.consistent(ctx, func(c *session) error {
		found, err = c.structure(ctx, id, "", nil, nil)
		return err
	})
	return found, err
}

type structureRepo struct{ structureReader }

// Find returns the structure of the course and locks it.
func (c structureRepo) Find(
	ctx context.Context, id course.ID, quizzes []quiz.ID, assignments []assignment.ID,
) (structure.Structure, error) {
	return c.structure(ctx, id, " FOR UPDATE", quizzes, assignments)
}

// structure returns the structure of a course, with more quizzes and
// assignments; the clause lock ends the statements that read what is to be
// locked.
func (c *session) structure(
	ctx context.Context, id course.ID, lock string, quizzes []quiz.ID, assignments []assignment.ID,
) (structure.Structure, error) {
	var none structure.Structure
	var course uuid.UUID
	if err := c.GetRow(ctx, &course, courseKnown+lock, c.SchoolID, id.UUID); err != nil {
		return none, pgdb.Missing(err)
	}
	var rows []activityRow
	if err := c.SelectRows(ctx, &rows, activitiesOf, c.SchoolID, id.UUID); err != nil {
		return none, err
	}
	activities := make([]activity.State, len(rows))
	for i, r := range rows {
		s, err := r.state()
		if err != nil {
			return none, err
		}
		activities[i] = s
		if r.Quiz.Valid {
			quizzes = append(quizzes, s.Content.Quiz)
		}
		if r.Assignment.Valid {
			assignments = append(assignments, s.Content.Assignment)
		}
	}
	tests, err := c.quizzes(ctx, loadQuizzes+lock, quizzes)
	if err != nil {
		return none, err
	}
	tasks, err := c.assignments(ctx, loadAssignments+lock, assignments)
	return structure.New(id, activities, tests, tasks), err
}

func (c *session) assignments(
	ctx context.Context, statement string, ids []assignment.ID,
) (map[assignment.ID]assignment.State, error) {
	var rows []assignmentRow
	if err := c.SelectRows(ctx, &rows, statement, c.SchoolID, pq.Array(pgdb.IDStrings(ids))); err != nil {
		return nil, err
	}
	found := make(map[assignment.ID]assignment.State, len(rows))
	for _, r := range rows {
		s, err := r.state()
		if err != nil {
			return nil, err
		}
		found[s.ID] = s
	}
	return found, nil
}

// Facts returns which of the activities and quizzes somebody has begun.
func (c structureRepo) Facts(
	ctx context.Context, activities []activity.ID, quizzes []quiz.ID,
) (structure.Facts, error) {
	f := structure.Facts{Activities: map[activity.ID]bool{}, Quizzes: map[quiz.ID]bool{}}
	var begun []uuid.UUID
	if err := c.SelectRows(ctx, &begun, begunActivities, c.SchoolID, pq.Array(pgdb.IDStrings(activities))); err != nil {
		return f, err
	}
	for _, id := range begun {
		f.Activities[activity.ID{UUID: id}] = true
	}
	begun = nil
	err := c.SelectRows(ctx, &begun, begunQuizzes, c.SchoolID, pq.Array(pgdb.IDStrings(quizzes)))
	for _, id := range begun {
		f.Quizzes[quiz.ID{UUID: id}] = true
	}
	return f, err
}
