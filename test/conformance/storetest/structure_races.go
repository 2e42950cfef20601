package storetest

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
)

// structureLocks tests which operations block each other while a course is changed.
func structureLocks(t *testing.T, b Backend) {
	found := func(l courseFixture) func(context.Context, ports.Tx) error {
		return func(ctx context.Context, tx ports.Tx) error {
			return second(tx.Structures.GetForUpdate(ctx, l.course.ID, nil, nil))
		}
	}
	t.Run("GetForUpdate of a structure blocks another GetForUpdate", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		is.NoErr(w.checkBlocks(found(l), func() error { return w.try(found(l)) }))
	})

	t.Run("GetForUpdate of a structure blocks GetManyForShare of its activities", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		is.NoErr(w.checkBlocks(found(l), func() error {
			return w.try(func(ctx context.Context, tx ports.Tx) error {
				return second(tx.Activities.GetManyForShare(ctx, []activity.ID{l.text.ID}))
			})
		}))
	})

	t.Run("GetForUpdate of a structure blocks GetManyForShare of its quizzes", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		is.NoErr(w.checkBlocks(found(l), func() error {
			return w.try(func(ctx context.Context, tx ports.Tx) error {
				return second(tx.Quizzes.GetManyForShare(ctx, []quiz.ID{l.quiz.ID}))
			})
		}))
	})

	t.Run("GetManyForShare of an activity blocks a change of the structure", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		is.NoErr(w.checkBlocks(func(ctx context.Context, tx ports.Tx) error {
			did, err := w.recordActivity(ctx, tx, l.learner.ID, l.text.ID, 2)
			is.True(did)
			return err
		}, func() error {
			return second(w.revise(l.course.ID, structure.Plan{}))
		}))
		// The second transaction has read the change of the first.
		is.Equal(keysOf(w.structureOf(l.course.ID).Archived), []string{l.text.Key})
		is.Equal(len(w.mustReconcile()), 0)
	})
}

// structureRaces tests that no update is lost when courses are changed while people learn in them.
func structureRaces(t *testing.T, b Backend) {
	t.Run("No update is lost if a course is changed while people learn in it", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		other := w.addCourse("Other").ID
		shared := w.newActivity(other, "Shared", activity.QuizContent(l.quiz.ID))
		w.save(shared)
		var people []person.ID
		for i := range 5 {
			people = append(people, l.addLearner(w.tenant, fmt.Sprintf("p%d@example.test", i)).Person)
		}
		var mu sync.Mutex
		touched := map[activity.ID]bool{}
		for _, err := range atOnce(func(i int) error {
			rnd := rand.New(rand.NewPCG(uint64(i), 13))
			a := &randomCourse{world: w, rnd: rnd, lesson: l, created: 100 * i}
			for range 4 {
				s, err := w.read().Structures.Get(w.ctx(), l.course.ID)
				if err != nil {
					return err
				}
				if i%3 == 0 { // the plan may be outdated
					if _, err := w.revise(l.course.ID, a.changePlan(s)); err != nil {
						return err
					}
					continue
				}
				if len(s.Activities) == 0 {
					continue
				}
				one, did := pick(rnd, s.Activities), false
				who, what := people[i%len(people)], rnd.IntN(3)
				err = w.try(func(ctx context.Context, tx ports.Tx) (err error) {
					did, err = w.recordActivity(ctx, tx, who, one.ID, what)
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
			_, err := w.read().Activities.Get(w.ctx(), id)
			is.NoErr(err) // the activity can be archived, but not deleted
		}
		for i, a := range w.structureOf(l.course.ID).Activities {
			is.Equal(a.Position, i+1)
		}
		is.Equal(len(w.mustReconcile()), 0)
	})
}
