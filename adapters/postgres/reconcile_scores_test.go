package postgres_test

import (
	"context"
	"math"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/attempt"
	"lyceum/domain/person"
	"lyceum/ports"
)

// All transactions lock scores in the order of their IDs, so that two of them cannot
// deadlock.
func TestScoresAreLockedByID(t *testing.T) {
	for name, lock := range map[string]func(context.Context, ports.Tx, person.ID) error{
		"reconciliation": func(ctx context.Context, tx ports.Tx, _ person.ID) error {
			_, err := tx.Reconciler.RecalculateDerived(ctx)
			return err
		},
		"deletion": func(ctx context.Context, tx ports.Tx, p person.ID) error {
			_, err := tx.Attempts.DeleteByPerson(ctx, p, math.MaxInt32)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			s, db := freshStore(t)
			id := newSchool(t, s)
			people, courses := class(t, s, id, 1, 1)
			a := attempt.Begin(attempt.ID{UUID: uuid.New()}, learner(people[0], courses[0]), nil, now)
			within(t, s, id, func(ctx context.Context, tx ports.Tx) error { return tx.Attempts.Add(ctx, a) })
			// The order of the IDs differs from the order of insertion and from the order of the
			// other columns.
			execute(t, db, `INSERT INTO quiz_scores (school_id, id, attempt_id, activity_id, person_id, course_id,
				course_number, quiz_id, number, answered, correct, total, last_answered_at) OVERRIDING SYSTEM VALUE
				SELECT a.school_id, 4 - n, a.id, ('00000000-0000-0000-0000-00000000000' || n)::uuid, a.person_id, a.course_id,
					1, a.id, 1, 1, 1, 1, now() - n * interval '1 hour'
				FROM course_attempts a, generate_series(1, 3) n ORDER BY n`)
			holder, err := db.BeginTx(t.Context(), nil)
			is.NoErr(err)
			_, err = holder.ExecContext(t.Context(), `SELECT FROM quiz_scores WHERE id = 2 FOR UPDATE`)
			is.NoErr(err)
			done := make(chan error, 1)
			go func() {
				done <- s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error { return lock(ctx, tx, people[0]) })
			}()
			until(func() bool {
				return count(t, db, `SELECT count(*) FROM pg_stat_activity
					WHERE datname = current_database() AND wait_event_type = 'Lock'`) > 0
			})
			free := `SELECT count(*) FROM (SELECT FROM quiz_scores WHERE id = $1 FOR UPDATE SKIP LOCKED) s`
			is.Equal(count(t, db, free, 1), 0)
			is.Equal(count(t, db, free, 3), 1)
			is.NoErr(holder.Rollback())
			is.NoErr(<-done)
			is.Equal(count(t, db, `SELECT count(*) FROM quiz_scores`), 0)
		})
	}
}
