package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/submission"
	"lyceum/ports"
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

	// Waits for every transaction that enrolls or learns in the course: each holds
	// the course FOR KEY SHARE. It is the only lock that this transaction takes.
	lockCourse = `SELECT id FROM courses WHERE school_id = $1 AND id = $2 FOR UPDATE`
	// The permalink is free from now on; no permalink has a slash.
	hideCourse = `
		UPDATE all_courses SET removed_at = $3, permalink = 'removed/' || id WHERE school_id = $1 AND id = $2`

	unfileCourse        = `DELETE FROM course_categories WHERE school_id = $1 AND course_id = $2`
	removeInstructorsOf = `DELETE FROM course_instructors WHERE school_id = $1 AND course_id = $2`

	// Of two who continue a removal one waits here.
	lockRemoved = `
		SELECT id FROM all_courses WHERE school_id = $1 AND id = $2 AND removed_at IS NOT NULL FOR NO KEY UPDATE`
	// The next people of a course, in the order in which people are locked.
	lockNextPeople = `
		SELECT p.id FROM people p WHERE p.school_id = $1 AND p.id IN (
			(SELECT person_id FROM enrollments WHERE school_id = $1 AND course_id = $2 LIMIT $3)
			UNION (SELECT person_id FROM course_attempts WHERE school_id = $1 AND course_id = $2 LIMIT $3) LIMIT $3
		) ORDER BY p.id FOR NO KEY UPDATE OF p`

	submissionsOfThese = `
		WITH gone AS (
			DELETE FROM submissions WHERE school_id = $1 AND course_id = $2 AND person_id = ANY ($3::uuid[]) RETURNING id
		)
		SELECT id FROM gone ORDER BY id`
	eventsOfThese = `
		DELETE FROM events WHERE school_id = $1 AND person_id = ANY ($3::uuid[]) AND activity_id IN (
			SELECT a.id FROM activities a WHERE a.school_id = $1 AND a.course_id = $2
		)`
	// Before the quiz attempts, as a change of a structure that shares a quiz locks them.
	lockEnrollmentsOfThese = `
		SELECT id FROM enrollments WHERE school_id = $1 AND course_id = $2 AND person_id = ANY ($3::uuid[])
		ORDER BY person_id FOR UPDATE`
	lockAttemptsOfThese = `
		SELECT id FROM course_attempts WHERE school_id = $1 AND course_id = $2 AND person_id = ANY ($3::uuid[])
		ORDER BY id FOR UPDATE`
	quizAttemptsOfThese = `
		WITH locked AS MATERIALIZED (
			SELECT id FROM quiz_attempts
			WHERE school_id = $1 AND course_id = $2 AND person_id = ANY ($3::uuid[]) ORDER BY id FOR UPDATE
		), answers AS (
			DELETE FROM quiz_answers WHERE school_id = $1 AND quiz_attempt_id IN (SELECT id FROM locked)
		), scored AS MATERIALIZED (
			SELECT id FROM quiz_scores
			WHERE school_id = $1 AND course_id = $2 AND person_id = ANY ($3::uuid[]) AND` + afterLock + `ORDER BY id FOR UPDATE
		), scores AS (
			DELETE FROM quiz_scores WHERE school_id = $1 AND id IN (SELECT id FROM scored)
		)
		DELETE FROM quiz_attempts WHERE school_id = $1 AND id IN (SELECT id FROM locked)`
	attemptsOfThese = `
		WITH locked AS MATERIALIZED (
			SELECT id FROM course_attempts
			WHERE school_id = $1 AND course_id = $2 AND person_id = ANY ($3::uuid[]) ORDER BY id FOR UPDATE
		), done AS (
			DELETE FROM completions WHERE school_id = $1 AND attempt_id IN (SELECT id FROM locked)
		)
		DELETE FROM course_attempts WHERE school_id = $1 AND id IN (SELECT id FROM locked)`
	enrollmentsOfThese = `
		DELETE FROM enrollments WHERE school_id = $1 AND course_id = $2 AND person_id = ANY ($3::uuid[])`

	// Events of people who have nothing else in the course any longer.
	nextEvents = `
		DELETE FROM events WHERE school_id = $1 AND position IN (
			SELECT e.position FROM activities a JOIN events e ON e.school_id = $1 AND e.activity_id = a.id
			WHERE a.school_id = $1 AND a.course_id = $2 LIMIT $3
		)`
	uncountCourse  = `DELETE FROM course_count_deltas WHERE school_id = $1 AND course_id = $2`
	removeAsHidden = `DELETE FROM all_courses WHERE school_id = $1 AND id = $2`

	// eventsPerPerson is how many events are removed where a person might be: an
	// event is one row, a person dozens.
	eventsPerPerson = 20
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
	_, err := c.Exec(ctx, detachInstructor, c.SchoolID, id.UUID)
	return err
}

// Contents returns how much there is of what belongs to the course id.
func (c courseRepo) Contents(ctx context.Context, id course.ID) (course.Contents, error) {
	var row contentsRow
	err := c.GetRow(ctx, &row, contents, c.SchoolID, id.UUID)
	return course.Contents(row), err
}

// LockExclusive implements ports.CourseRepo.
func (c courseRepo) LockExclusive(ctx context.Context, id course.ID) error {
	var found uuid.UUID
	return pgdb.Missing(c.GetRow(ctx, &found, lockCourse, c.SchoolID, id.UUID))
}

// BeginRemoval implements ports.CourseRepo.
func (c courseRepo) BeginRemoval(ctx context.Context, id course.ID, now time.Time) error {
	if err := c.LockExclusive(ctx, id); err != nil {
		return err
	}
	for _, statement := range []string{detachCourse, unfileCourse, removeInstructorsOf} {
		if _, err := c.Exec(ctx, statement, c.SchoolID, id.UUID); err != nil {
			return err
		}
	}
	_, err := c.Exec(ctx, hideCourse, c.SchoolID, id.UUID, now)
	return err
}

// ContinueRemoval implements ports.CourseRepo.
func (c courseRepo) ContinueRemoval(ctx context.Context, id course.ID, most int) (ports.Removed, error) {
	var of, people []uuid.UUID
	if err := c.SelectRows(ctx, &of, lockRemoved, c.SchoolID, id.UUID); err != nil || len(of) == 0 {
		return ports.Removed{Done: err == nil}, err
	}
	if err := c.SelectRows(ctx, &people, lockNextPeople, c.SchoolID, id.UUID, most); err != nil {
		return ports.Removed{}, err
	}
	if len(people) == 0 {
		return c.finishRemoval(ctx, id, most*eventsPerPerson)
	}
	var gone ports.Removed
	gone.Submissions = []submission.ID{}
	these := pq.Array(pgdb.IDStrings(people))
	if err := c.SelectRows(ctx, &gone.Submissions, submissionsOfThese, c.SchoolID, id.UUID, these); err != nil {
		return ports.Removed{}, err
	}
	for _, statement := range []string{
		lockEnrollmentsOfThese, lockAttemptsOfThese, eventsOfThese, quizAttemptsOfThese, attemptsOfThese, enrollmentsOfThese,
	} {
		if _, err := c.Exec(ctx, statement, c.SchoolID, id.UUID, these); err != nil {
			return ports.Removed{}, err
		}
	}
	return gone, nil
}

// finishRemoval removes up to so many events of a course that has no people any
// longer, or the rest when there are fewer.
func (c courseRepo) finishRemoval(ctx context.Context, id course.ID, events int) (ports.Removed, error) {
	n, err := c.Exec(ctx, nextEvents, c.SchoolID, id.UUID, events)
	if err != nil || n >= events {
		return ports.Removed{}, err
	}
	for _, statement := range []string{removeActivitiesOf, uncountCourse, removeAsHidden} {
		if _, err := c.Exec(ctx, statement, c.SchoolID, id.UUID); err != nil {
			return ports.Removed{}, err
		}
	}
	return ports.Removed{Done: true}, nil
}
