package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/ports"
)

var _ ports.AttemptRepo = attemptRepo{}

type attemptRow struct {
	ID              uuid.UUID  `db:"id"`
	Person          uuid.UUID  `db:"person_id"`
	Course          uuid.UUID  `db:"course_id"`
	Number          int        `db:"number"`
	Progress        int64      `db:"progress"`
	LastCompletedAt *time.Time `db:"last_completed_at"`
	StartedAt       time.Time  `db:"started_at"`
}

func (r attemptRow) attempt() attempt.Attempt {
	return attempt.Restore(attempt.State{
		ID: attempt.ID{UUID: r.ID}, Person: person.ID{UUID: r.Person}, Course: course.ID{UUID: r.Course},
		Number: r.Number, Progress: decimal.Percent(r.Progress), LastCompletedAt: pgdb.Utc(r.LastCompletedAt),
		StartedAt: r.StartedAt.UTC(),
	})
}

type attemptRepo struct{ *session }

const (
	attemptColumns = `id, person_id, course_id, number, progress, last_completed_at, started_at`

	latestAttempt = `SELECT ` + attemptColumns + ` FROM course_attempts
		WHERE school_id = $1 AND person_id = $2 AND course_id = $3 ORDER BY number DESC LIMIT 1`
	addAttempt = `
		INSERT INTO course_attempts (school_id, id, person_id, course_id, number, progress, last_completed_at, started_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`
	// What else an attempt has never changes.
	saveAttempt = `UPDATE course_attempts SET progress = $3, last_completed_at = $4 WHERE school_id = $1 AND id = $2`
	complete    = `
		INSERT INTO completions (school_id, attempt_id, activity_id, completed_at)
		VALUES ($1, $2, $3, $4) ON CONFLICT (school_id, attempt_id, activity_id) DO NOTHING`
	completed = `
		SELECT completed_at FROM completions WHERE school_id = $1 AND attempt_id = $2 AND activity_id = $3`
	lockAttemptsOf = `SELECT id FROM course_attempts WHERE school_id = $1 AND person_id = $2 ORDER BY id FOR UPDATE`
	// By their ids, as who goes through all of them locks them.
	removeAttemptsOf = `
		WITH locked AS MATERIALIZED (
			SELECT id FROM course_attempts WHERE school_id = $1 AND person_id = $2 ORDER BY id FOR UPDATE
		), done AS (
			DELETE FROM completions WHERE school_id = $1 AND attempt_id IN (SELECT id FROM locked)
		)
		DELETE FROM course_attempts WHERE school_id = $1 AND id IN (SELECT id FROM locked)`
)

var tallies = `
	WITH asked AS MATERIALIZED (
		SELECT r.* FROM ` + pgdb.ByKey("course_attempts", "r.id, r.course_id", "id", "$2::uuid[]", "LIMIT 1") + `
	)
	SELECT t.id, coalesce(n.activities, 0) AS activities, coalesce(d.completed, 0) AS completed, d.last_at
	FROM asked t
	LEFT JOIN (
		SELECT c.course_id, count(*) AS activities FROM (SELECT DISTINCT course_id FROM asked) c
		CROSS JOIN LATERAL (
			SELECT FROM activities a WHERE a.school_id = (SELECT $1::uuid) AND a.archived_at IS NULL AND` + pgdb.AtKey("a.course_id", "c.course_id") + `OFFSET 0
		) a GROUP BY c.course_id
	) n ON n.course_id = t.course_id
	LEFT JOIN (
		SELECT s.id, count(*) FILTER (WHERE a.archived_at IS NULL) AS completed, max(k.completed_at) AS last_at
		FROM asked s
		CROSS JOIN LATERAL (
			SELECT k.activity_id, k.completed_at FROM completions k WHERE k.school_id = (SELECT $1::uuid) AND` + pgdb.AtKey("k.attempt_id", "s.id") + `OFFSET 0
		) k
		CROSS JOIN LATERAL (
			SELECT a.archived_at FROM activities a WHERE a.school_id = (SELECT $1::uuid) AND a.course_id = s.course_id AND` + pgdb.AtKey("a.id", "k.activity_id") + `LIMIT 1
		) a
		GROUP BY s.id
	) d ON d.id = t.id`

// Latest returns the latest attempt of a person in a course.
func (c attemptRepo) Latest(ctx context.Context, p person.ID, in course.ID) (attempt.Attempt, error) {
	var row attemptRow
	if err := c.GetRow(ctx, &row, latestAttempt, c.SchoolID, p.UUID, in.UUID); err != nil {
		return attempt.Attempt{}, pgdb.Missing(err)
	}
	return row.attempt(), nil
}

// Add keeps a new attempt.
func (c attemptRepo) Add(ctx context.Context, a attempt.Attempt) error {
	s := a.State()
	_, err := c.Exec(ctx, addAttempt, c.SchoolID, s.ID.UUID, s.Person.UUID, s.Course.UUID, s.Number,
		int64(s.Progress), s.LastCompletedAt, s.StartedAt)
	return err
}

// Save keeps a changed attempt.
func (c attemptRepo) Save(ctx context.Context, a attempt.Attempt) error {
	s := a.State()
	n, err := c.Exec(ctx, saveAttempt, c.SchoolID, s.ID.UUID, int64(s.Progress), s.LastCompletedAt)
	if err == nil && n == 0 {
		return fault.Missing()
	}
	return err
}

// Complete keeps the completion unless it is there.
func (c attemptRepo) Complete(ctx context.Context, done attempt.Completion) (bool, error) {
	n, err := c.Exec(ctx, complete, c.SchoolID, done.Attempt.UUID, done.Activity.UUID, done.At)
	return n > 0, err
}

// Completed returns the completion of an activity in an attempt.
func (c attemptRepo) Completed(ctx context.Context, in attempt.ID, of activity.ID) (attempt.Completion, error) {
	var at time.Time
	if err := c.GetRow(ctx, &at, completed, c.SchoolID, in.UUID, of.UUID); err != nil {
		return attempt.Completion{}, pgdb.Missing(err)
	}
	return attempt.Completion{Attempt: in, Activity: of, At: at.UTC()}, nil
}

// Tallies implements ports.AttemptRepo.
func (c attemptRepo) Tallies(ctx context.Context, ids []attempt.ID) (map[attempt.ID]attempt.Tally, error) {
	return c.tallies(ctx, ids)
}

// tallies returns the tallies of the attempts ids, by id.
func (c *session) tallies(ctx context.Context, ids []attempt.ID) (map[attempt.ID]attempt.Tally, error) {
	var rows []struct {
		ID         uuid.UUID  `db:"id"`
		Activities int        `db:"activities"`
		Completed  int        `db:"completed"`
		LastAt     *time.Time `db:"last_at"`
	}
	if err := c.AllKeyed(ctx, len(ids), &rows, tallies, c.SchoolID, pq.Array(pgdb.IDStrings(ids))); err != nil {
		return nil, err
	}
	found := make(map[attempt.ID]attempt.Tally, len(rows))
	for _, r := range rows {
		found[attempt.ID{UUID: r.ID}] = attempt.Tally{
			Completed: r.Completed, Activities: r.Activities, LastAt: pgdb.Utc(r.LastAt),
		}
	}
	return found, nil
}

// LockOfPerson implements ports.AttemptRepo.
func (c attemptRepo) LockOfPerson(ctx context.Context, p person.ID) error {
	_, err := c.Exec(ctx, lockAttemptsOf, c.SchoolID, p.UUID)
	return err
}

// RemoveOfPerson forgets all attempts of a person and their completions.
func (c attemptRepo) RemoveOfPerson(ctx context.Context, p person.ID) error {
	_, err := c.Exec(ctx, removeAttemptsOf, c.SchoolID, p.UUID)
	return err
}
