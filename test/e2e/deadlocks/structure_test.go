package deadlocks_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/files"
	"lyceum/app/learning"
	"lyceum/domain/activity"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/test/kit"
	"lyceum/test/kit/pgtest"
)

// TestStructureWaitsInOrder lets a change of a structure wait for a lock of another connection,
// starts a second request and releases the lock. The two requests must not deadlock. Both courses
// use the same quiz.
func TestStructureWaitsInOrder(t *testing.T) {
	for _, tt := range []struct {
		name string
		held string // statement that locks a row of the first learner; the change of the structure locks the row too
		next string // statement that selects the second learner
		do   func(ctx context.Context, w *world, second person.ID) error
	}{
		{
			"next to the deletion of a learner",
			`SELECT id FROM quiz_attempts ORDER BY id LIMIT 1 FOR UPDATE`,
			`SELECT person_id FROM quiz_attempts ORDER BY id OFFSET 1 LIMIT 1`,
			func(ctx context.Context, w *world, second person.ID) error {
				return w.People.Delete(ctx, w.actor, second)
			},
		},
		{
			"next to answers in another course",
			`SELECT id FROM enrollments WHERE role = 'learner' ORDER BY person_id, course_id LIMIT 1 FOR UPDATE`,
			`SELECT DISTINCT person_id FROM enrollments WHERE role = 'learner' ORDER BY 1 OFFSET 1 LIMIT 1`,
			func(ctx context.Context, w *world, second person.ID) error {
				return w.answer(ctx, courseNames[1], second, 1)
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			w := &world{dsn: pgtest.Migrated(t), files: files.NewMemory()}
			w.connect(t)
			k := w.fill(t)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			for _, name := range courseNames {
				s, err := w.Structures.Get(ctx, w.actor, name)
				is.NoErr(err)
				for _, p := range k.people {
					is.NoErr(kit.NewLearning(w.App).Complete(ctx, w.actor, p, s.Activities[0].ID))
					is.NoErr(w.answer(ctx, name, p, 2))
				}
			}
			db, err := sql.Open("postgres", w.dsn)
			is.NoErr(err)
			holding, err := db.BeginTx(ctx, nil)
			is.NoErr(err)
			t.Cleanup(func() { _ = errors.Join(holding.Rollback(), db.Close()) })
			var id uuid.UUID
			is.NoErr(db.QueryRowContext(ctx, tt.next).Scan(&id))
			_, err = holding.ExecContext(ctx, tt.held)
			is.NoErr(err)

			done := make(chan error, 2)
			go func() { done <- w.extend(ctx, courseNames[0], 2, 1) }()
			w.untilWaiting(t, 1)
			go func() { done <- tt.do(ctx, w, person.ID{UUID: id}) }()
			w.untilWaiting(t, 2)
			is.NoErr(holding.Rollback())
			is.NoErr(<-done)
			is.NoErr(<-done)
			is.NoErr(db.Close()) // deadlocks waits until no other connection exists
			is.Equal(w.deadlocks(t), 0)
		})
	}
}

// answer submits answers to the first questions of the quiz in a course.
func (w *world) answer(ctx context.Context, name string, p person.ID, questions int) error {
	s, err := w.Structures.Get(ctx, w.actor, name)
	if err != nil {
		return err
	}
	quizzes, err := w.Quizzes.List(ctx, w.actor, query.Query{})
	if err != nil {
		return err
	}
	id := quizzes.Items[0].ID
	var in activity.ID
	for _, a := range s.Activities {
		if a.Content.Kind == activity.Quiz {
			in = a.ID
		}
	}
	var replies []learning.AnswerInput
	for _, q := range s.Quizzes[id].Questions[:questions] {
		replies = append(replies, learning.AnswerInput{Person: p, Activity: &in, Question: q.ID, Chosen: []string{"Yes"}})
	}
	_, err = w.Learning.SubmitAnswers(ctx, w.actor, id, replies)
	return err
}

// untilWaiting waits until n transactions wait for locks.
func (w *world) untilWaiting(t *testing.T, n int) {
	t.Helper()
	for waiting := 0; waiting < n; time.Sleep(10 * time.Millisecond) {
		if t.Context().Err() != nil {
			t.Fatal(t.Context().Err())
		}
		ask(t, w.dsn, `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`, &waiting)
	}
}
