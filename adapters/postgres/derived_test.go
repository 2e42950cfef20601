package postgres_test

import (
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/reconcile"
)

// Triggers maintain every derived value for any writer, except scores, which the store writes
// together with the quiz attempts. As a check of the test itself: without the triggers, the same
// statements make every value wrong.
func TestTriggersMaintainEveryDerivedValue(t *testing.T) {
	wrong := func(t *testing.T, before ...string) (values []reconcile.Value) {
		t.Helper()
		is := is.New(t)
		s, db := freshStore(t)
		x := furnish(t, s, newSchool(t, s))
		teach(t, db, x)
		execute(t, db, `INSERT INTO event_feeds (school_id, position, last_at) SELECT id, 1, now() FROM schools`,
			`UPDATE quiz_scores SET last_answered_at = (SELECT last_answered_at FROM quiz_attempts)`)
		execute(t, db, before...)
		execute(t, db, `DELETE FROM memberships`, `DELETE FROM partnerships`, `DELETE FROM enrollments`, `DELETE FROM events`)
		found, err := recount(t.Context(), s, x.id)
		is.NoErr(err)
		for _, v := range reconcile.Derived() {
			if slices.ContainsFunc(found, func(d reconcile.Discrepancy) bool { return d.Value == v.Name }) {
				values = append(values, v)
			}
		}
		return values
	}
	t.Run("none is wrong", func(t *testing.T) {
		is := is.New(t)
		is.Equal(wrong(t), nil)
	})
	t.Run("without the triggers each is wrong", func(t *testing.T) {
		is := is.New(t)
		is.Equal(wrong(t, `ALTER TABLE memberships DISABLE TRIGGER USER`, `ALTER TABLE partnerships DISABLE TRIGGER USER`,
			`ALTER TABLE enrollments DISABLE TRIGGER USER`, `ALTER TABLE events DISABLE TRIGGER USER`),
			slices.DeleteFunc(reconcile.Derived(), func(v reconcile.Value) bool { return v == reconcile.QuizScores }))
	})
}
