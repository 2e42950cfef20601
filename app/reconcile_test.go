package app_test

import (
	"context"
	"errors"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/attempt"
	"lyceum/domain/decimal"
	"lyceum/domain/enrollment"
	"lyceum/domain/quizattempt"
	"lyceum/domain/reconcile"
	"lyceum/ports"
)

// reconcile reconciles the school and returns the discrepancies.
func (c *classroom) reconcile(t *testing.T) []reconcile.Discrepancy {
	t.Helper()
	var found []reconcile.Discrepancy
	is.New(t).NoErr(c.Reconcile.School(c.ctx, c.school, func(d reconcile.Discrepancy) { found = append(found, d) }))
	return found
}

func TestReconcileOfCorrectDataChangesNothing(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	is.NoErr(c.complete(c.text, c.video))
	is.NoErr(c.answer(1, "Yes"))
	rows, scores := c.rows(t), c.scores(t)
	is.Equal(c.reconcile(t), nil)
	is.Equal(c.rows(t), rows)
	is.Equal(c.scores(t), scores)
}

func TestReconcileFixesAndReportsDiscrepancies(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	is.NoErr(c.complete(c.text))
	is.NoErr(c.answer(1, "No"))
	rows, scores := c.rows(t), c.scores(t)
	at := rows[0].Attempt
	is.NoErr(c.store.InTx(c.ctx, c.school, func(ctx context.Context, tx ports.Tx) error {
		pair := enrollment.PersonCourse{Person: c.ada, Course: c.greek}
		found, errAttempt := tx.Attempts.LatestMany(ctx, []enrollment.PersonCourse{pair})
		r, errRun := tx.QuizAttempts.Latest(ctx, at, c.test)
		wrong, run := found[pair].State(), r.State()
		wrong.Progress, run.Score.Correct = decimal.OneHundred, 1
		return errors.Join(errAttempt, errRun,
			tx.Attempts.Save(ctx, attempt.Restore(wrong)), tx.QuizAttempts.Save(ctx, quizattempt.Restore(run)))
	}))
	is.Equal(c.scores(t)[0].Score.Correct, 1)

	found := c.reconcile(t)
	is.Equal(len(found), 2)
	is.Equal(found[0], reconcile.Discrepancy{
		Record: "course_attempts " + at.String(), Value: "progress", Stored: "100", Expected: "25",
	})
	is.Equal(found[1].Value, "percent_correct")
	is.Equal(c.rows(t), rows)
	is.Equal(c.scores(t), scores)
	is.Equal(c.reconcile(t), nil)
}
