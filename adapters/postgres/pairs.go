package postgres

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/lib/pq"
	"lyceum/domain/attempt"
	"lyceum/domain/enrollment"
)

const (
	// Those of everybody who records at once are locked in one order: the people,
	// then the enrollments.
	lockEnrollments = `
		WITH locked AS MATERIALIZED (
			SELECT p.id FROM people p WHERE p.school_id = $1 AND p.id = ANY ($2::uuid[])
			ORDER BY p.id FOR KEY SHARE
		)
		SELECT id, person_id, course_id, role, created_at, updated_at FROM enrollments
		WHERE school_id = $1 AND (person_id, course_id) IN (SELECT * FROM unnest($2::uuid[], $3::uuid[]))
			AND role = $4 AND` + afterLock + `
		ORDER BY person_id, course_id FOR NO KEY UPDATE`
	latestAttempts = `
		SELECT a.* FROM unnest($2::uuid[], $3::uuid[]) g (person_id, course_id)
		CROSS JOIN LATERAL (
			SELECT ` + attemptColumns + ` FROM course_attempts
			WHERE school_id = $1 AND person_id = g.person_id AND course_id = g.course_id ORDER BY number DESC LIMIT 1
		) a`
	addAttempts = `
		INSERT INTO course_attempts (school_id, id, person_id, course_id, number, progress, last_completed_at, started_at)
		SELECT $1, a.* FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::integer[], $6::integer[],
			$7::timestamptz[], $8::timestamptz[]) a`
)

// FindMany returns the enrollments of pairs and locks them, and the people before.
func (c enrollmentRepo) FindMany(
	ctx context.Context, pairs []enrollment.Pair, role enrollment.Role,
) (map[enrollment.Pair]enrollment.Enrollment, error) {
	people, courses := pairColumns(pairs)
	var rows []enrollmentRow
	if err := c.all(ctx, &rows, lockEnrollments, c.school, people, courses, role.String()); err != nil {
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

// LatestMany returns the latest attempts of pairs.
func (c attemptRepo) LatestMany(
	ctx context.Context, pairs []enrollment.Pair,
) (map[enrollment.Pair]attempt.Attempt, error) {
	people, courses := pairColumns(pairs)
	var rows []attemptRow
	if err := c.all(ctx, &rows, latestAttempts, c.school, people, courses); err != nil {
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
		return translate(ctx, ctx.Err())
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
		numbers[i], progress[i], started[i] = int64(s.Number), int64(s.Progress), instant(s.StartedAt)
		last[i] = optionalInstant(s.LastCompletedAt)
	}
	_, err := c.exec(ctx, addAttempts, c.school, pq.Array(ids), pq.Array(people), pq.Array(courses), pq.Array(numbers),
		pq.Array(progress), pq.Array(last), pq.Array(started))
	return err
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
