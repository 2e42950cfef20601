package memory

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/memory/tables"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/quizattempt"
	"lyceum/domain/reconcile"
	"lyceum/domain/school"
	"lyceum/ports"
)

// The store updates counters with every change, so the test must damage them directly to show that
// RecalculateDerived finds errors.
func TestRecalculateDerivedFindsDamage(t *testing.T) {
	is := is.New(t)
	store, id := New(), school.ID{UUID: uuid.UUID{1}}
	kept, err := school.New(id, "School", school.Open, time.UnixMilli(0))
	is.NoErr(err)
	is.NoErr(store.LoadNewSchool(t.Context(), kept, func(context.Context, ports.LoadTx) error { return nil }))
	ada, algebra, first := person.ID{UUID: uuid.UUID{2}}, course.ID{UUID: uuid.UUID{3}}, group.ID{UUID: uuid.UUID{4}}
	is.NoErr(store.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
		is.NoErr(tx.People.Add(ctx, person.Restore(person.State{ID: ada, Email: "ada@example.test"})))
		is.NoErr(tx.Courses.Add(ctx, course.Restore(course.State{ID: algebra, Name: "Algebra"})))
		is.NoErr(tx.Groups.Add(ctx, group.Restore(group.State{ID: first, Name: "First"})))
		return nil
	}))
	is.NoErr(store.Damage(id, func(d Damaged) {
		run := &tables.QuizAttempt{Head: &quizattempt.State{ID: quizattempt.ID{UUID: uuid.UUID{5}}}, Score: quizattempt.Score{Answered: 1, Total: 2}}
		d.s.quizAttempts.writable(d.s.version).Set(run)
		d.s.scores.writable(d.s.version).Set(&tables.Score{ID: 1, Attempt: run})
	}))
	record := "quiz_scores " + uuid.Nil.String() + ":" + uuid.Nil.String()
	recount := func() (wrong []reconcile.Discrepancy) {
		is.NoErr(store.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) (err error) {
			wrong, err = tx.Reconciler.RecalculateDerived(ctx)
			return err
		}))
		return wrong
	}
	is.Equal(len(recount()), 0)
	for _, tt := range []struct {
		name   string
		damage func(Damaged)
		want   reconcile.Discrepancy
	}{
		{
			"courses of a person", func(d Damaged) { d.People(7, func(p *person.Summary) *int64 { return &p.CourseCount }) },
			reconcile.Discrepancy{Record: "people " + ada.String(), Value: "course_count", Stored: "7", Expected: "0"},
		},
		{
			"groups of a person", func(d Damaged) { d.People(7, func(p *person.Summary) *int64 { return &p.GroupCount }) },
			reconcile.Discrepancy{Record: "people " + ada.String(), Value: "group_count", Stored: "7", Expected: "0"},
		},
		{
			"enrollments", func(d Damaged) { d.Courses(-7) },
			reconcile.Discrepancy{Record: "courses " + algebra.String(), Value: "enrollments_count", Stored: "-7", Expected: "0"},
		},
		{
			"memberships", func(d Damaged) { d.Groups(7) },
			reconcile.Discrepancy{Record: "groups " + first.String(), Value: "membership_count", Stored: "7", Expected: "0"},
		},
		{
			"a wrong score", func(d Damaged) { d.Scores(false) },
			reconcile.Discrepancy{
				Record: record, Value: "score",
				Stored: "8/2, 0% correct, 0001-01-01T00:00:00Z", Expected: "1/2, 0% correct, 0001-01-01T00:00:00Z",
			},
		},
		{
			"a lost score", func(d Damaged) { d.Scores(true) },
			reconcile.Discrepancy{
				Record: record, Value: "score",
				Stored: "none", Expected: "1/2, 0% correct, 0001-01-01T00:00:00Z",
			},
		},
	} {
		is.NoErr(store.Damage(id, tt.damage))
		is.Equal(recount(), []reconcile.Discrepancy{tt.want}) // the discrepancy is reported
		is.Equal(len(recount()), 0)                           // the discrepancy is fixed
	}
}
