package postgres

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/learnerlists"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/enrollment"
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

func (r attemptRow) attempt() (attempt.Attempt, error) {
	return attempt.Restore(attempt.State{
		ID: attempt.ID{UUID: r.ID}, Person: person.ID{UUID: r.Person}, Course: course.ID{UUID: r.Course},
		Number: r.Number, Progress: decimal.Percent(r.Progress), LastCompletedAt: pgdb.UTC(r.LastCompletedAt),
		StartedAt: r.StartedAt.UTC(),
	}), nil
}

var attemptTable = newTable("course_attempts", []column[attempt.State]{
	{"id", "uuid", func(s attempt.State) any { return s.ID.UUID }},
	{"person_id", "uuid", func(s attempt.State) any { return s.Person.UUID }},
	{"course_id", "uuid", func(s attempt.State) any { return s.Course.UUID }},
	{"number", "integer", func(s attempt.State) any { return s.Number }},
	{"progress", "integer", func(s attempt.State) any { return int64(s.Progress) }},
	{"last_completed_at", "timestamptz", func(s attempt.State) any { return s.LastCompletedAt }},
	{"started_at", "timestamptz", func(s attempt.State) any { return s.StartedAt }},
})

// progressTable contains the ID and the columns of course_attempts that Save updates.
var progressTable = newTable("course_attempts", []column[attempt.State]{
	attemptTable.columns[0], attemptTable.columns[4], attemptTable.columns[5],
})

var completionTable = newTable("completions", []column[attempt.Completion]{
	{"attempt_id", "uuid", func(c attempt.Completion) any { return c.Attempt.UUID }},
	{"activity_id", "uuid", func(c attempt.Completion) any { return c.Activity.UUID }},
	{"completed_at", "timestamptz", func(c attempt.Completion) any { return c.At }},
})

type attemptRepo struct{ *session }

var (
	attemptColumns = listsql.RowColumns[attemptRow]()

	selectLatestAttempts = `
		SELECT a.* FROM unnest($2::uuid[], $3::uuid[]) g (person_id, course_id)
		CROSS JOIN LATERAL (
			SELECT ` + attemptColumns + ` FROM course_attempts r
			WHERE r.school_id = (SELECT $1::uuid) AND r.person_id = g.person_id AND r.course_id = g.course_id
			ORDER BY r.number DESC LIMIT 1
		) a`
	saveAttempt  = progressTable.update()
	saveAttempts = `
		WITH locked AS MATERIALIZED (
			SELECT r.id FROM ` + pgdb.ByKey("course_attempts", "r.id", "id", "$2::uuid[]", "LIMIT 1 FOR NO KEY UPDATE") + `
		)
		UPDATE course_attempts a SET progress = n.progress, last_completed_at = n.last_completed_at
		FROM ` + progressTable.unnested(2) + `
		WHERE a.school_id = (SELECT $1::uuid) AND a.id = n.id AND` + pgdb.AfterLock

	addCompletion = completionTable.insert + `ON CONFLICT (school_id, attempt_id, activity_id) DO NOTHING`
	// Completions are inserted in the order of their keys, so that two transactions do not
	// deadlock.
	addCompletions = completionTable.insertMany + `ORDER BY n.attempt_id, n.activity_id
		ON CONFLICT (school_id, attempt_id, activity_id) DO NOTHING RETURNING attempt_id, activity_id, completed_at`
)

const (
	getCompletion = `SELECT completed_at FROM completions WHERE school_id = $1 AND attempt_id = $2 AND activity_id = $3`
	// The planner cannot turn the inner SELECT into a join, which could read all completions.
	absentCompletions = `
		SELECT n.number FROM unnest($2::uuid[], $3::uuid[]) WITH ORDINALITY AS n (attempt_id, activity_id, number)
		WHERE (
			SELECT true FROM completions c
			WHERE c.school_id = (SELECT $1::uuid) AND c.attempt_id = n.attempt_id AND c.activity_id = n.activity_id
		) IS NULL ORDER BY n.number`
	lockAttemptsOf = `SELECT id FROM course_attempts WHERE school_id = $1 AND person_id = $2 ORDER BY id FOR UPDATE`
	// Rows are locked in the order of their IDs, as in a reconciliation.
	deleteAttemptsOf = `
		WITH locked AS MATERIALIZED (
			SELECT id FROM course_attempts WHERE school_id = $1 AND person_id = $2 ORDER BY id LIMIT $3 FOR UPDATE
		), done AS (
			DELETE FROM completions WHERE school_id = $1 AND attempt_id IN (SELECT id FROM locked)
		), scored AS MATERIALIZED ( -- scores whose quiz attempts are missing by mistake
			SELECT id FROM quiz_scores WHERE school_id = $1 AND attempt_id = ANY (ARRAY (SELECT id FROM locked))
			ORDER BY id FOR UPDATE
		), scores AS (
			DELETE FROM quiz_scores WHERE school_id = $1 AND id IN (SELECT id FROM scored)
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

type courseAnalyticsReader struct {
	ports.Lister[analytics.CourseProgress]
	session *session
}

func newCourseAnalytics(c *session) courseAnalyticsReader {
	return courseAnalyticsReader{newLister(c, learnerlists.CourseAnalytics), c}
}

// LatestMany implements ports.CourseAnalytics.
func (r courseAnalyticsReader) LatestMany(
	ctx context.Context, pairs []enrollment.PersonCourse,
) (map[enrollment.PersonCourse]attempt.Attempt, error) {
	return r.session.latestAttempts(ctx, pairs)
}

func (s *session) latestAttempts(
	ctx context.Context, pairs []enrollment.PersonCourse,
) (map[enrollment.PersonCourse]attempt.Attempt, error) {
	people, courses := pairColumns(pairs)
	key := func(a attempt.Attempt) enrollment.PersonCourse {
		return enrollment.PersonCourse{Person: a.State().Person, Course: a.State().Course}
	}
	return getMap(ctx, s, len(pairs), attemptRow.attempt, key, selectLatestAttempts, s.SchoolID, people, courses)
}

// LatestMany implements ports.AttemptRepo.
func (r attemptRepo) LatestMany(
	ctx context.Context, pairs []enrollment.PersonCourse,
) (map[enrollment.PersonCourse]attempt.Attempt, error) {
	return r.latestAttempts(ctx, pairs)
}

// Add implements ports.AttemptRepo.
func (r attemptRepo) Add(ctx context.Context, a attempt.Attempt) error {
	return insert(ctx, r.session, attemptTable, a.State())
}

// AddMany implements ports.AttemptRepo. It inserts in the order of the people and courses, so that
// two calls with the same pairs do not deadlock.
func (r attemptRepo) AddMany(ctx context.Context, all []attempt.Attempt) error {
	if len(all) == 0 {
		return pgdb.Translate(ctx, ctx.Err())
	}
	states := states(all)
	slices.SortStableFunc(states, func(a, b attempt.State) int {
		return cmp.Or(bytes.Compare(a.Person.UUID[:], b.Person.UUID[:]), bytes.Compare(a.Course.UUID[:], b.Course.UUID[:]))
	})
	return r.write(ctx, attemptTable.insertMany, attemptTable.arrays(r.SchoolID, states)...)
}

// Save implements ports.AttemptRepo.
func (r attemptRepo) Save(ctx context.Context, a attempt.Attempt) error {
	return r.writeOne(ctx, saveAttempt, progressTable.args(r.SchoolID, a.State())...)
}

// SaveMany implements ports.AttemptRepo.
func (r attemptRepo) SaveMany(ctx context.Context, all []attempt.Attempt) error {
	if len(all) == 1 {
		return r.Save(ctx, all[0])
	}
	n, err := r.Exec(ctx, saveAttempts, progressTable.arrays(r.SchoolID, states(all))...)
	if err == nil && n != len(all) {
		return fault.RecordNotFound()
	}
	return err
}

// AddCompletionsIfAbsent implements ports.AttemptRepo.
func (r attemptRepo) AddCompletionsIfAbsent(ctx context.Context, all []attempt.Completion) ([]attempt.Completion, error) {
	if len(all) == 1 {
		n, err := r.Exec(ctx, addCompletion, completionTable.args(r.SchoolID, all[0])...)
		return all[:n], err
	}
	convert := func(row learnerlists.CompletionRow) (attempt.Completion, error) { return row.State(), nil }
	return getAll(ctx, r.session, convert, addCompletions, completionTable.arrays(r.SchoolID, all)...)
}

// AbsentCompletions implements ports.AttemptRepo.
func (r attemptRepo) AbsentCompletions(ctx context.Context, all []attempt.Completion) ([]attempt.Completion, error) {
	in, of := make([]attempt.ID, len(all)), make([]activity.ID, len(all))
	for i, c := range all {
		in[i], of[i] = c.Attempt, c.Activity
	}
	var numbers []int
	if err := r.SelectRows(ctx, &numbers, absentCompletions, r.SchoolID, idArray(in), idArray(of)); err != nil {
		return nil, err
	}
	absent := make([]attempt.Completion, len(numbers))
	for i, n := range numbers {
		absent[i] = all[n-1]
	}
	return absent, nil
}

// GetCompletion implements ports.AttemptRepo.
func (r attemptRepo) GetCompletion(ctx context.Context, in attempt.ID, of activity.ID) (attempt.Completion, error) {
	convert := func(at time.Time) (attempt.Completion, error) {
		return attempt.Completion{Attempt: in, Activity: of, At: at.UTC()}, nil
	}
	return getOne(ctx, r.session, convert, getCompletion, r.SchoolID, in.UUID, of.UUID)
}

// Tallies implements ports.AttemptRepo.
func (r attemptRepo) Tallies(ctx context.Context, ids []attempt.ID) (map[attempt.ID]attempt.Tally, error) {
	return r.tallies(ctx, ids)
}

// tallies returns the tallies of the attempts with the given ids, by id.
func (s *session) tallies(ctx context.Context, ids []attempt.ID) (map[attempt.ID]attempt.Tally, error) {
	var rows []struct {
		ID         uuid.UUID  `db:"id"`
		Activities int        `db:"activities"`
		Completed  int        `db:"completed"`
		LastAt     *time.Time `db:"last_at"`
	}
	if err := s.AllKeyed(ctx, len(ids), &rows, tallies, s.SchoolID, idArray(ids)); err != nil {
		return nil, err
	}
	found := make(map[attempt.ID]attempt.Tally, len(rows))
	for _, r := range rows {
		found[attempt.ID{UUID: r.ID}] = attempt.Tally{
			Completed: r.Completed, Activities: r.Activities, LastCompletedAt: pgdb.UTC(r.LastAt),
		}
	}
	return found, nil
}

// LockByPerson implements ports.AttemptRepo.
func (r attemptRepo) LockByPerson(ctx context.Context, p person.ID) error {
	return r.write(ctx, lockAttemptsOf, r.SchoolID, p.UUID)
}

// DeleteByPerson implements ports.AttemptRepo.
func (r attemptRepo) DeleteByPerson(ctx context.Context, p person.ID, limit int) (int, error) {
	return r.Exec(ctx, deleteAttemptsOf, r.SchoolID, p.UUID, limit)
}
