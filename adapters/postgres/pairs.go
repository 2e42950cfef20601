package postgres

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
)

// The rows of everybody who records at once are locked in one order: the people,
// then the enrollments. A weaker lock on the people would have to be raised when an
// attempt is added, while who removes the enrollment holds them and waits.
var (
	lockEnrollments = `
	WITH locked AS MATERIALIZED (
		SELECT r.id FROM ` + pgdb.ByKey("people", "r.id", "id", "$2::uuid[]", "LIMIT 1 FOR NO KEY UPDATE") + `
	)
	` + lockOnlyEnrollments + ` WHERE` + afterLock

	lockOnlyEnrollments = `SELECT e.* FROM (
		SELECT * FROM unnest($2::uuid[], $3::uuid[]) g (person_id, course_id) ORDER BY person_id, course_id
	) g CROSS JOIN LATERAL (
		SELECT e.id, e.person_id, e.course_id, e.role, e.created_at, e.updated_at FROM enrollments e
		WHERE e.school_id = (SELECT $1::uuid) AND e.role = $4 AND e.course_id = g.course_id AND` + pgdb.AtKey("e.person_id", "g.person_id") + `
		LIMIT 1 FOR NO KEY UPDATE
	) e`
)

const (
	latestAttempts = `
		SELECT a.* FROM unnest($2::uuid[], $3::uuid[]) g (person_id, course_id)
		CROSS JOIN LATERAL (
			SELECT ` + attemptColumns + ` FROM course_attempts
			WHERE school_id = (SELECT $1::uuid) AND person_id = g.person_id AND course_id = g.course_id
			ORDER BY number DESC LIMIT 1
		) a`
	addAttempts = `
		INSERT INTO course_attempts (school_id, id, person_id, course_id, number, progress, last_completed_at, started_at)
		SELECT $1, a.* FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::integer[], $6::integer[],
			$7::timestamptz[], $8::timestamptz[]) a`
	// Rows are inserted and locked by their ids, as a reconciliation locks them.
	completeMany = `
		INSERT INTO completions (school_id, attempt_id, activity_id, completed_at)
		SELECT $1, g.* FROM unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) g (attempt_id, activity_id, completed_at)
		ORDER BY g.attempt_id, g.activity_id
		ON CONFLICT (school_id, attempt_id, activity_id) DO NOTHING
		RETURNING attempt_id, activity_id, completed_at`
)

var saveMany = `
		WITH locked AS MATERIALIZED (
			SELECT r.id FROM ` + pgdb.ByKey("course_attempts", "r.id", "id", "$2::uuid[]", "LIMIT 1 FOR NO KEY UPDATE") + `
		)
		UPDATE course_attempts a SET progress = g.progress, last_completed_at = g.last_completed_at
		FROM unnest($2::uuid[], $3::integer[], $4::timestamptz[]) g (id, progress, last_completed_at)
		WHERE a.school_id = (SELECT $1::uuid) AND a.id = g.id AND` + afterLock

// FindMany returns the enrollments of pairs and locks them, and the people before.
func (c enrollmentRepo) FindMany(
	ctx context.Context, pairs []enrollment.Pair, role enrollment.Role,
) (map[enrollment.Pair]enrollment.Enrollment, error) {
	people, courses := pairColumns(pairs)
	var rows []enrollmentRow
	if err := c.AllKeyed(ctx, len(pairs), &rows, lockEnrollments, c.SchoolID, people, courses, role.String()); err != nil {
		return nil, err
	}
	found := make(map[enrollment.Pair]enrollment.Enrollment, len(rows))
	for _, r := range rows {
		e, err := r.enrollment()
		if err != nil {
			return nil, err
		}
		found[e.Pair()] = e
	}
	return found, nil
}

// LockMany locks the enrollments of pairs, and no person.
func (c enrollmentRepo) LockMany(ctx context.Context, pairs []enrollment.Pair, role enrollment.Role) error {
	people, courses := pairColumns(pairs)
	_, err := c.ExecKeyed(ctx, len(pairs), lockOnlyEnrollments, c.SchoolID, people, courses, role.String())
	return err
}

// LatestMany returns the latest attempts of pairs.
func (c attemptRepo) LatestMany(
	ctx context.Context, pairs []enrollment.Pair,
) (map[enrollment.Pair]attempt.Attempt, error) {
	people, courses := pairColumns(pairs)
	var rows []attemptRow
	if err := c.AllKeyed(ctx, len(pairs), &rows, latestAttempts, c.SchoolID, people, courses); err != nil {
		return nil, err
	}
	found := make(map[enrollment.Pair]attempt.Attempt, len(rows))
	for _, r := range rows {
		a := r.attempt()
		found[enrollment.Pair{Person: a.State().Person, Course: a.State().Course}] = a
	}
	return found, nil
}

// AddMany keeps new attempts, in the order of their people.
func (c attemptRepo) AddMany(ctx context.Context, all []attempt.Attempt) error {
	if len(all) == 0 {
		return pgdb.Translate(ctx, ctx.Err())
	}
	states := make([]attempt.State, len(all))
	for i, a := range all {
		states[i] = a.State()
	}
	slices.SortStableFunc(states, func(a, b attempt.State) int {
		return cmp.Or(bytes.Compare(a.Person.UUID[:], b.Person.UUID[:]), bytes.Compare(a.Course.UUID[:], b.Course.UUID[:]))
	})
	n := len(states)
	ids, people, courses := make([]string, n), make([]string, n), make([]string, n)
	numbers, progress := make([]int64, n), make([]int64, n)
	last, started := make([]*string, n), make([]string, n)
	for i, s := range states {
		ids[i], people[i], courses[i] = s.ID.String(), s.Person.String(), s.Course.String()
		numbers[i], progress[i], started[i] = int64(s.Number), int64(s.Progress), pgdb.Instant(s.StartedAt)
		last[i] = pgdb.OptionalInstant(s.LastCompletedAt)
	}
	_, err := c.Exec(ctx, addAttempts, c.SchoolID, pq.Array(ids), pq.Array(people), pq.Array(courses), pq.Array(numbers),
		pq.Array(progress), pq.Array(last), pq.Array(started))
	return err
}

// SaveMany implements ports.AttemptRepo.
func (c attemptRepo) SaveMany(ctx context.Context, all []attempt.Attempt) error {
	if len(all) == 1 {
		return c.Save(ctx, all[0])
	}
	ids, progress, last := make([]string, len(all)), make([]int64, len(all)), make([]*string, len(all))
	for i, a := range all {
		s := a.State()
		ids[i], progress[i], last[i] = s.ID.String(), int64(s.Progress), pgdb.OptionalInstant(s.LastCompletedAt)
	}
	n, err := c.Exec(ctx, saveMany, c.SchoolID, pq.Array(ids), pq.Array(progress), pq.Array(last))
	if err == nil && n != len(all) {
		return fault.Missing()
	}
	return err
}

// CompleteMany implements ports.AttemptRepo.
func (c attemptRepo) CompleteMany(ctx context.Context, all []attempt.Completion) ([]attempt.Completion, error) {
	if len(all) == 1 {
		fresh, err := c.Complete(ctx, all[0])
		if !fresh {
			all = nil
		}
		return all, err
	}
	attempts, activities, at := make([]string, len(all)), make([]string, len(all)), make([]string, len(all))
	for i, done := range all {
		attempts[i], activities[i], at[i] = done.Attempt.String(), done.Activity.String(), pgdb.Instant(done.At)
	}
	var rows []struct {
		Attempt  uuid.UUID `db:"attempt_id"`
		Activity uuid.UUID `db:"activity_id"`
		At       time.Time `db:"completed_at"`
	}
	if err := c.SelectRows(ctx, &rows, completeMany, c.SchoolID, pq.Array(attempts), pq.Array(activities), pq.Array(at)); err != nil {
		return nil, err
	}
	kept := make([]attempt.Completion, len(rows))
	for i, r := range rows {
		kept[i] = attempt.Completion{Attempt: attempt.ID{UUID: r.Attempt}, Activity: activity.ID{UUID: r.Activity}, At: r.At.UTC()}
	}
	return kept, nil
}

// pairColumns returns the people and the courses of pairs, each pair once.
func pairColumns(pairs []enrollment.Pair) (people, courses any) {
	distinct := make(map[enrollment.Pair]struct{}, len(pairs))
	var p, o []string
	for _, pair := range pairs {
		if _, ok := distinct[pair]; !ok {
			distinct[pair] = struct{}{}
			p, o = append(p, pair.Person.String()), append(o, pair.Course.String())
		}
	}
	return pq.Array(p), pq.Array(o)
}
