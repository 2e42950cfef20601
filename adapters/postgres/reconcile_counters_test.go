package postgres_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/reconcile"
	"lyceum/domain/school"
	"lyceum/ports"
)

// If all counts are correct, a reconciliation that runs while people enroll and leave finds no
// discrepancy. Afterwards every count equals the number of rows.
func TestReconcileWhilePeopleEnroll(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	id := newSchool(t, s)
	people, courses := class(t, s, id, 8, 3)
	const writers, rounds, recounts = 6, 20, 15
	var all sync.WaitGroup
	errs := make(chan error, writers)
	for w := range writers {
		all.Go(func() {
			random := rand.New(rand.NewPCG(2, uint64(w)))
			for range rounds {
				if err := disturb(t.Context(), s, id, random, people, courses); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	for range recounts {
		wrong, err := recount(t.Context(), s, id)
		is.NoErr(err)
		is.Equal(len(wrong), 0)
	}
	all.Wait()
	close(errs)
	for err := range errs {
		is.NoErr(err)
	}
	wrong, err := recount(t.Context(), s, id)
	is.NoErr(err)
	is.Equal(len(wrong), 0)
	is.Equal(count(t, db, `SELECT count(*) FROM people p WHERE course_count <>
		(SELECT count(*) FROM enrollments e WHERE e.person_id = p.id AND role = 'learner')`), 0)
	is.Equal(count(t, db, `SELECT count(*) FROM courses c WHERE
		enrollments_count + coalesce((SELECT sum(delta) FROM course_count_deltas d WHERE d.course_id = c.id), 0)
		<> (SELECT count(*) FROM enrollments e WHERE e.course_id = c.id AND role = 'learner')`), 0)
	is.Equal(count(t, db, `SELECT count(*) FROM course_analytics_rows`),
		count(t, db, `SELECT count(*) FROM enrollments WHERE role = 'learner'`))
}

// A reconciliation fixes all wrong counts, even if it runs while people enroll and leave.
func TestReconcileFixesWhilePeopleEnroll(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	id := newSchool(t, s)
	people, courses := class(t, s, id, 8, 3)
	execute(t, db, `UPDATE people SET course_count = course_count + 5`, `UPDATE courses SET enrollments_count = 7`)
	var all sync.WaitGroup
	errs := make(chan error, 4)
	for w := range cap(errs) {
		all.Go(func() {
			random := rand.New(rand.NewPCG(3, uint64(w)))
			for range 15 {
				if err := disturb(t.Context(), s, id, random, people, courses); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	wrong, err := recount(t.Context(), s, id)
	is.NoErr(err)
	is.Equal(len(wrong), len(people)+len(courses)) // one discrepancy for each record
	all.Wait()
	close(errs)
	for err := range errs {
		is.NoErr(err)
	}
	wrong, err = recount(t.Context(), s, id)
	is.NoErr(err)
	is.Equal(len(wrong), 0)
}

func recount(ctx context.Context, s ports.Store, id school.ID) (wrong []reconcile.Discrepancy, err error) {
	err = s.InTx(ctx, id, func(ctx context.Context, tx ports.Tx) error {
		wrong, err = tx.Reconciler.RecalculateDerived(ctx)
		return err
	})
	return wrong, err
}
