package courses

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// StructureLocks tests which operations block each other while a course is changed.
func StructureLocks(t *testing.T, b fixture.Backend) {
	found := func(l fixture.CourseFixture) func(context.Context, ports.Tx) error {
		return func(ctx context.Context, tx ports.Tx) error {
			return fixture.Second(tx.Structures.GetForUpdate(ctx, l.Course.ID, nil, nil))
		}
	}
	t.Run("GetForUpdate of a structure blocks another GetForUpdate", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		is.NoErr(w.CheckBlocks(found(l), func() error { return w.Try(found(l)) }))
	})

	t.Run("GetForUpdate of a structure blocks GetManyForShare of its activities", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		is.NoErr(w.CheckBlocks(found(l), func() error {
			return w.Try(func(ctx context.Context, tx ports.Tx) error {
				return fixture.Second(tx.Activities.GetManyForShare(ctx, []activity.ID{l.Text.ID}))
			})
		}))
	})

	t.Run("GetForUpdate of a structure blocks GetManyForShare of its quizzes", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		is.NoErr(w.CheckBlocks(found(l), func() error {
			return w.Try(func(ctx context.Context, tx ports.Tx) error {
				return fixture.Second(tx.Quizzes.GetManyForShare(ctx, []quiz.ID{l.Quiz.ID}))
			})
		}))
	})

	t.Run("GetManyForShare of an activity blocks a change of the structure", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		is.NoErr(w.CheckBlocks(func(ctx context.Context, tx ports.Tx) error {
			did, err := recordActivity(ctx, tx, w.Tenant, l.Learner.ID, l.Text.ID, 2)
			is.True(did)
			return err
		}, func() error {
			return fixture.Second(revise(w.Tenant, l.Course.ID, structure.Plan{}))
		}))
		// The second transaction has read the change of the first.
		is.Equal(keysOf(structureOf(w.Tenant, l.Course.ID).Archived), []string{l.Text.Key})
		is.Equal(len(w.MustReconcile()), 0)
	})
}

// StructureRaces tests that no update is lost when courses are changed while people learn in them.
func StructureRaces(t *testing.T, b fixture.Backend) {
	t.Run("No update is lost if a course is changed while people learn in it", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		other := w.AddCourse("Other").ID
		shared := w.NewActivity(other, "Shared", activity.QuizContent(l.Quiz.ID))
		w.Save(shared)
		var people []person.ID
		for i := range 5 {
			people = append(people, l.AddLearner(w.Tenant, fmt.Sprintf("p%d@example.test", i)).Person)
		}
		var mu sync.Mutex
		touched := map[activity.ID]bool{}
		for _, err := range fixture.AtOnce(func(i int) error {
			rnd := rand.New(rand.NewPCG(uint64(i), 13))
			a := &randomCourse{World: w, rnd: rnd, lesson: l, created: 100 * i}
			for range 4 {
				s, err := w.Read().Structures.Get(w.Context(), l.Course.ID)
				if err != nil {
					return err
				}
				if i%3 == 0 { // the plan may be outdated
					if _, err := revise(w.Tenant, l.Course.ID, a.changePlan(s)); err != nil {
						return err
					}
					continue
				}
				if len(s.Activities) == 0 {
					continue
				}
				one, did := fixture.Pick(rnd, s.Activities), false
				who, what := people[i%len(people)], rnd.IntN(3)
				err = w.Try(func(ctx context.Context, tx ports.Tx) (err error) {
					did, err = recordActivity(ctx, tx, w.Tenant, who, one.ID, what)
					return err
				})
				if err != nil {
					return err
				}
				if did {
					mu.Lock()
					touched[one.ID] = true
					mu.Unlock()
				}
			}
			return nil
		}) {
			is.NoErr(err)
		}
		for id := range touched {
			_, err := w.Read().Activities.Get(w.Context(), id)
			is.NoErr(err) // the activity can be archived, but not deleted
		}
		for i, a := range structureOf(w.Tenant, l.Course.ID).Activities {
			is.Equal(a.Position, i+1)
		}
		is.Equal(len(w.MustReconcile()), 0)
	})
}
