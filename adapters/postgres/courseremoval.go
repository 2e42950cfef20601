package postgres

import (
	"context"

	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
)

const (
	detachInstructor = `DELETE FROM course_instructors WHERE school_id = $1 AND partnership_id = $2`

	contents = `
		SELECT
			(SELECT count(*) FROM activities WHERE school_id = $1 AND course_id = $2) AS activities,
			(SELECT count(*) FROM enrollments WHERE school_id = $1 AND course_id = $2 AND role = 'learner') AS enrollments,
			(SELECT count(*) FROM enrollments WHERE school_id = $1 AND course_id = $2 AND role <> 'learner') AS managers,
			(SELECT count(*) FROM course_attempts WHERE school_id = $1 AND course_id = $2) AS course_attempts,
			(SELECT count(*) FROM course_attempts t JOIN completions k ON k.school_id = t.school_id AND k.attempt_id = t.id
				WHERE t.school_id = $1 AND t.course_id = $2) AS completions,
			(SELECT count(*) FROM quiz_attempts WHERE school_id = $1 AND course_id = $2) AS quiz_attempts,
			(SELECT count(*) FROM submissions WHERE school_id = $1 AND course_id = $2) AS submissions,
			(SELECT count(*) FROM activities a JOIN events e ON e.school_id = a.school_id AND e.activity_id = a.id
				WHERE a.school_id = $1 AND a.course_id = $2) AS events,
			(SELECT count(*) FROM group_courses WHERE school_id = $1 AND course_id = $2) AS groups`

	courseExists = `SELECT count(*) FROM courses WHERE school_id = $1 AND id = $2`
	// Who learns locks the activity, then the person, and then refers to the course;
	// who enrolls locks the person and then the course. In this order too is the
	// course closed, so that nobody waits for it who is waited for.
	closeActivities = `
		SELECT count(*) FROM (
			SELECT id FROM activities WHERE school_id = $1 AND course_id = $2 ORDER BY id FOR UPDATE
		) locked`
	closePeople = `
		SELECT count(*) FROM (
			SELECT p.id FROM people p WHERE p.school_id = $1 AND p.id IN (
				SELECT person_id FROM enrollments WHERE school_id = $1 AND course_id = $2
				UNION SELECT person_id FROM course_attempts WHERE school_id = $1 AND course_id = $2
			) ORDER BY p.id FOR NO KEY UPDATE OF p
		) locked`
	closeCourse = `SELECT count(*) FROM (SELECT id FROM courses WHERE school_id = $1 AND id = $2 FOR UPDATE) locked`

	uncountCourse       = `DELETE FROM course_count_deltas WHERE school_id = $1 AND course_id = $2`
	unfileCourse        = `DELETE FROM course_categories WHERE school_id = $1 AND course_id = $2`
	removeInstructorsOf = `DELETE FROM course_instructors WHERE school_id = $1 AND course_id = $2`
	removeCourse        = `DELETE FROM courses WHERE school_id = $1 AND id = $2`
)

// contentsRow is course.Contents as a row.
type contentsRow struct {
	Activities     int64 `db:"activities"`
	Enrollments    int64 `db:"enrollments"`
	Managers       int64 `db:"managers"`
	CourseAttempts int64 `db:"course_attempts"`
	Completions    int64 `db:"completions"`
	QuizAttempts   int64 `db:"quiz_attempts"`
	Submissions    int64 `db:"submissions"`
	Events         int64 `db:"events"`
	Groups         int64 `db:"groups"`
}

// DetachInstructor takes the partnership from all courses.
func (c courseRepo) DetachInstructor(ctx context.Context, id person.PartnershipID) error {
	_, err := c.exec(ctx, detachInstructor, c.school, id.UUID)
	return err
}

// Contents returns how much there is of what belongs to the course id.
func (c courseRepo) Contents(ctx context.Context, id course.ID) (course.Contents, error) {
	var row contentsRow
	err := c.get(ctx, &row, contents, c.school, id.UUID)
	return course.Contents(row), err
}

// Close locks the course id with its activities and its people.
func (c courseRepo) Close(ctx context.Context, id course.ID) error {
	for _, statement := range []string{courseExists, closeActivities, closePeople, closeCourse} {
		var n int
		if err := c.get(ctx, &n, statement, c.school, id.UUID); err != nil {
			return err
		}
		if n == 0 && (statement == courseExists || statement == closeCourse) {
			return fault.Missing()
		}
	}
	return nil
}

// Remove forgets the course id.
func (c courseRepo) Remove(ctx context.Context, id course.ID) error {
	for _, statement := range []string{unfileCourse, removeInstructorsOf, uncountCourse} {
		if _, err := c.exec(ctx, statement, c.school, id.UUID); err != nil {
			return err
		}
	}
	return c.remove(ctx, removeCourse, id.UUID)
}
