package postgres

import (
	"context"

	"github.com/google/uuid"
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
	courseExists   = `SELECT id FROM courses WHERE school_id = $1 AND id = $2`
	getAssignments = `SELECT id, title, created_at, updated_at FROM assignments
		WHERE school_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id`
	// OFFSET 0 makes usedActivities look up each activity separately, because there are few of
	// them.
	usedActivities = `
		SELECT k.id FROM unnest($2::uuid[]) k (id)
		WHERE EXISTS (SELECT FROM completions f WHERE f.school_id = $1 AND f.activity_id = k.id OFFSET 0)
			OR EXISTS (SELECT FROM events f WHERE f.school_id = $1 AND f.activity_id = k.id OFFSET 0)
			OR EXISTS (SELECT FROM quiz_attempts f WHERE f.school_id = $1 AND f.activity_id = k.id OFFSET 0)
			OR EXISTS (SELECT FROM submissions f WHERE f.school_id = $1 AND f.activity_id = k.id OFFSET 0)`
	usedQuizzes = `
		SELECT k.id FROM unnest($2::uuid[]) k (id)
		WHERE EXISTS (SELECT FROM quiz_attempts f WHERE f.school_id = $1 AND f.quiz_id = k.id OFFSET 0)`
)

var activitiesOf = `SELECT ` + wholeActivityColumns + ` FROM activities r WHERE r.school_id = $1 AND r.course_id = $2`

type structureReader struct{ *session }

// Get implements ports.StructureReader.
func (r structureReader) Get(ctx context.Context, id course.ID) (found structure.Structure, err error) {
	err = r.consistent(ctx, func(c *session) error {
		found, err = c.structure(ctx, id, "", nil, nil)
		return err
	})
	return found, err
}

type structureRepo struct{ structureReader }

// GetForUpdate implements ports.StructureRepo.
func (r structureRepo) GetForUpdate(
	ctx context.Context, id course.ID, quizzes []quiz.ID, assignments []assignment.ID,
) (structure.Structure, error) {
	return r.structure(ctx, id, " FOR UPDATE", quizzes, assignments)
}

// structure returns the structure of a course. It contains the quizzes and assignments of the
// activities, and the given quizzes and assignments. Unknown IDs are ignored. lock is the final
// clause of the statements that read the course, the quizzes and the assignments.
func (s *session) structure(
	ctx context.Context, id course.ID, lock string, quizzes []quiz.ID, assignments []assignment.ID,
) (structure.Structure, error) {
	var none structure.Structure
	var course uuid.UUID
	if err := s.GetRow(ctx, &course, courseExists+lock, s.SchoolID, id.UUID); err != nil {
		return none, pgdb.Missing(err)
	}
	activities, err := getAll(ctx, s, wholeActivityRow.state, activitiesOf, s.SchoolID, id.UUID)
	if err != nil {
		return none, err
	}
	for _, a := range activities {
		if a.Content.Quiz != (quiz.ID{}) {
			quizzes = append(quizzes, a.Content.Quiz)
		}
		if a.Content.Assignment != (assignment.ID{}) {
			assignments = append(assignments, a.Content.Assignment)
		}
	}
	quizStates, err := s.quizzes(ctx, getQuizzes+lock, quizzes)
	if err != nil {
		return none, err
	}
	key := func(row assignment.State) assignment.ID { return row.ID }
	assignmentStates, err := getMap(ctx, s, 0, assignmentRow.state, key, getAssignments+lock, s.SchoolID, idArray(assignments))
	return structure.New(id, activities, quizStates, assignmentStates), err
}

// Usage implements ports.StructureRepo.
func (r structureRepo) Usage(
	ctx context.Context, activities []activity.ID, quizzes []quiz.ID,
) (structure.Usage, error) {
	u := structure.Usage{Activities: map[activity.ID]bool{}, Quizzes: map[quiz.ID]bool{}}
	begunActivities, err := getIDs[activity.ID](ctx, r.session, usedActivities, r.SchoolID, idArray(activities))
	if err != nil {
		return u, err
	}
	begunQuizzes, err := getIDs[quiz.ID](ctx, r.session, usedQuizzes, r.SchoolID, idArray(quizzes))
	for _, id := range begunActivities {
		u.Activities[id] = true
	}
	for _, id := range begunQuizzes {
		u.Quizzes[id] = true
	}
	return u, err
}
