package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/course"
	"lyceum/domain/submission"
	"lyceum/ports"
)

const (
	countDependents = `
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

	// lockCourse waits for every transaction that enrolls people in the course or records progress
	// in it, because each of them holds the course FOR KEY SHARE.
	lockCourse = `SELECT id FROM courses WHERE school_id = $1 AND id = $2 FOR UPDATE`
	// hideCourse replaces the permalink, so that another course can use it. The new value is not a
	// valid permalink, because it contains a slash.
	hideCourse = `
		UPDATE all_courses SET removed_at = $3, permalink = 'removed/' || id WHERE school_id = $1 AND id = $2`

	deleteCategoriesOf  = `DELETE FROM course_categories WHERE school_id = $1 AND course_id = $2`
	deleteInstructorsOf = `DELETE FROM course_instructors WHERE school_id = $1 AND course_id = $2`

	// lockRemoved makes a second transaction that continues the same removal wait for the first.
	lockRemoved = `
		SELECT id FROM all_courses WHERE school_id = $1 AND id = $2 AND removed_at IS NOT NULL FOR NO KEY UPDATE`
	// lockNextPeople locks at most $3 people of the course, in the order of their IDs, as all
	// transactions do.
	lockNextPeople = `
		SELECT p.id FROM people p WHERE p.school_id = $1 AND p.id IN (
			(SELECT person_id FROM enrollments WHERE school_id = $1 AND course_id = $2 LIMIT $3)
			UNION (SELECT person_id FROM course_attempts WHERE school_id = $1 AND course_id = $2 LIMIT $3) LIMIT $3
		) ORDER BY p.id FOR NO KEY UPDATE OF p`

	deleteSubmissionsOfPeople = `
		WITH gone AS (
			DELETE FROM submissions WHERE school_id = $1 AND course_id = $2 AND person_id = ANY ($3::uuid[]) RETURNING id
		)
		SELECT id FROM gone ORDER BY id`
	deleteEventsOfPeople = `
		DELETE FROM events WHERE school_id = $1 AND person_id = ANY ($3::uuid[]) AND activity_id IN (
			SELECT a.id FROM activities a WHERE a.school_id = $1 AND a.course_id = $2
		)`
	// Enrollments are locked before quiz attempts, in the same order as by a change of a course
	// structure with a quiz that other courses share.
	lockEnrollmentsOfPeople = `
		SELECT id FROM enrollments WHERE school_id = $1 AND course_id = $2 AND person_id = ANY ($3::uuid[])
		ORDER BY person_id FOR UPDATE`
	lockAttemptsOfPeople = `
		SELECT id FROM course_attempts WHERE school_id = $1 AND course_id = $2 AND person_id = ANY ($3::uuid[])
		ORDER BY id FOR UPDATE`
	deleteQuizAttemptsOfPeople = `
		WITH locked AS MATERIALIZED (
			SELECT id FROM quiz_attempts
			WHERE school_id = $1 AND course_id = $2 AND person_id = ANY ($3::uuid[]) ORDER BY id FOR UPDATE
		), answers AS (
			DELETE FROM quiz_answers WHERE school_id = $1 AND quiz_attempt_id IN (SELECT id FROM locked)
		), scored AS MATERIALIZED (
			SELECT id FROM quiz_scores
			WHERE school_id = $1 AND course_id = $2 AND person_id = ANY ($3::uuid[]) AND` + pgdb.AfterLock + `ORDER BY id FOR UPDATE
		), scores AS (
			DELETE FROM quiz_scores WHERE school_id = $1 AND id IN (SELECT id FROM scored)
		)
		DELETE FROM quiz_attempts WHERE school_id = $1 AND id IN (SELECT id FROM locked)`
	deleteAttemptsOfPeople = `
		WITH locked AS MATERIALIZED (
			SELECT id FROM course_attempts
			WHERE school_id = $1 AND course_id = $2 AND person_id = ANY ($3::uuid[]) ORDER BY id FOR UPDATE
		), done AS (
			DELETE FROM completions WHERE school_id = $1 AND attempt_id IN (SELECT id FROM locked)
		)
		DELETE FROM course_attempts WHERE school_id = $1 AND id IN (SELECT id FROM locked)`
	deleteEnrollmentsOfPeople = `
		DELETE FROM enrollments WHERE school_id = $1 AND course_id = $2 AND person_id = ANY ($3::uuid[])`

	// deleteNextEvents deletes at most $3 events of the course.
	deleteNextEvents = `
		DELETE FROM events WHERE school_id = $1 AND position IN (
			SELECT e.position FROM activities a JOIN events e ON e.school_id = $1 AND e.activity_id = a.id
			WHERE a.school_id = $1 AND a.course_id = $2 LIMIT $3
		)`
	deleteCourseDeltas = `DELETE FROM course_count_deltas WHERE school_id = $1 AND course_id = $2`
	deleteHiddenCourse = `DELETE FROM all_courses WHERE school_id = $1 AND id = $2`

	// eventsPerPerson is the number of events that finishRemoval may delete for each person whose
	// records ContinueRemoval may delete. An event is a single row, while a person has dozens of
	// rows.
	eventsPerPerson = 20
)

// CountDependents implements ports.CourseRepo.
func (r courseRepo) CountDependents(ctx context.Context, id course.ID) (course.Dependents, error) {
	var row struct {
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
	err := r.session.GetRow(ctx, &row, countDependents, r.session.SchoolID, id.UUID)
	return course.Dependents(row), err
}

// LockExclusive implements ports.CourseRepo.
func (r courseRepo) LockExclusive(ctx context.Context, id course.ID) error {
	var found uuid.UUID
	return pgdb.Missing(r.session.GetRow(ctx, &found, lockCourse, r.session.SchoolID, id.UUID))
}

// BeginRemoval implements ports.CourseRepo.
func (r courseRepo) BeginRemoval(ctx context.Context, id course.ID, now time.Time) error {
	if err := r.LockExclusive(ctx, id); err != nil {
		return err
	}
	if err := r.session.writeAll(ctx, []string{detachCourse, deleteCategoriesOf, deleteInstructorsOf}, r.session.SchoolID, id.UUID); err != nil {
		return err
	}
	return r.session.write(ctx, hideCourse, r.session.SchoolID, id.UUID, now)
}

// ContinueRemoval implements ports.CourseRepo.
func (r courseRepo) ContinueRemoval(ctx context.Context, id course.ID, most int) (ports.RemovedRecords, error) {
	var of, people []uuid.UUID
	if err := r.session.SelectRows(ctx, &of, lockRemoved, r.session.SchoolID, id.UUID); err != nil || len(of) == 0 {
		return ports.RemovedRecords{Done: err == nil}, err
	}
	if err := r.session.SelectRows(ctx, &people, lockNextPeople, r.session.SchoolID, id.UUID, most); err != nil {
		return ports.RemovedRecords{}, err
	}
	if len(people) == 0 {
		return r.finishRemoval(ctx, id, most*eventsPerPerson)
	}
	these := idArray(people)
	submissions, err := getIDs[submission.ID](ctx, r.session, deleteSubmissionsOfPeople, r.session.SchoolID, id.UUID, these)
	if err == nil {
		err = r.session.writeAll(ctx, []string{
			lockEnrollmentsOfPeople, lockAttemptsOfPeople, deleteEventsOfPeople, deleteQuizAttemptsOfPeople, deleteAttemptsOfPeople, deleteEnrollmentsOfPeople,
		}, r.session.SchoolID, id.UUID, these)
	}
	if err != nil {
		return ports.RemovedRecords{}, err
	}
	return ports.RemovedRecords{Submissions: submissions}, nil
}

// finishRemoval deletes at most the given number of events of a course that has no people left. If
// there are fewer events, it deletes the rest of the course.
func (r courseRepo) finishRemoval(ctx context.Context, id course.ID, events int) (ports.RemovedRecords, error) {
	n, err := r.session.Exec(ctx, deleteNextEvents, r.session.SchoolID, id.UUID, events)
	if err != nil || n >= events {
		return ports.RemovedRecords{}, err
	}
	err = r.session.writeAll(ctx, []string{deleteActivitiesOf, deleteCourseDeltas, deleteHiddenCourse}, r.session.SchoolID, id.UUID)
	return ports.RemovedRecords{Done: err == nil}, err
}
