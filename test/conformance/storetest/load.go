package storetest

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/attempt"
	"lyceum/domain/category"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/ports"
)

// batch is a ports.Batch with a record of each kind, and the same records as a list.
type batch struct {
	ports.Batch
	records []any
	learner person.State
	course  course.State
	text    activity.State
	group   group.State
}

// newBatch returns a batch of new records without saving them. Their names contain mark.
func (s tenant) newBatch(mark string) batch {
	zone := s.newProperty(property.People, "zone_"+mark, property.Text)
	cat, cut := s.newCategory("Category "+mark), s.newCoupon("Coupon "+mark)
	ada, bob := s.newPerson("ada-"+mark+"@example.test"), s.newPerson("bob-"+mark+"@example.test")
	ada.Properties = texts(zone.Name, mark)
	part := s.newPartner(bob.ID, person.Instructor)
	c := s.newCourse("Course "+mark, inCategories(cat.ID), instructedBy(part.ID))
	q, paper, g := s.newQuiz("Quiz "+mark, 3), s.newAssignment("Paper "+mark), s.newGroup("Group "+mark)
	words := s.newActivity(c.ID, "Text "+mark, activity.TextContent())
	film := s.newActivity(c.ID, "Video "+mark, activity.VideoContent(90*time.Second))
	test := s.newActivity(c.ID, "Test "+mark, activity.QuizContent(q.ID))
	essay := s.newActivity(c.ID, "Essay "+mark, activity.AssignmentContent(paper.ID))
	joined, led := s.newMembership(ada.ID, g.ID, membership.Member), s.newMembership(bob.ID, g.ID, membership.Manager)
	learns, manages := s.newEnrollment(ada.ID, c.ID, enrollment.Learner), s.newEnrollment(bob.ID, c.ID, enrollment.Manager)
	in := s.newAttempt(ada.ID, c.ID, 1)
	done := attempt.Completion{Attempt: in.ID, Activity: words.ID, At: s.nextTime()}
	in.Progress, in.LastCompletedAt = decimal.PercentOf(1, 4), &done.At
	first, second := s.newQuizAttempt(in, test, q, 1, true, false, true), s.newQuizAttempt(in, test, q, 2, true)
	viewed, seen := event.NewView(ada.ID, words.ID), watched(ada.ID, film.ID, 250_000)
	viewed.CreatedAt, seen.CreatedAt = s.nextTime(), s.nextTime()
	return batch{
		learner: ada, course: c, text: words, group: g,
		records: []any{
			zone, cat, cut, ada, bob, part, c, q, paper, words, film, test, essay, g,
			groupCourse{g.ID, c.ID},
			joined, led, learns, manages,
			in, done, first, second, viewed, seen,
		},
		Batch: ports.Batch{
			Properties: []property.Definition{property.Restore(zone)},
			Categories: []category.Category{category.Restore(cat)}, Coupons: []coupon.Coupon{coupon.Restore(cut)},
			People: []person.Person{person.Restore(ada), person.Restore(bob)}, Partnerships: []person.Partnership{part},
			Courses: []course.Course{course.Restore(c)}, Quizzes: []quiz.Quiz{quiz.Restore(q)},
			Assignments: []assignment.Assignment{assignment.Restore(paper)},
			Activities: []activity.Activity{
				activity.Restore(words), activity.Restore(film), activity.Restore(test), activity.Restore(essay),
			},
			Groups: []group.Group{group.Restore(g)}, GroupCourses: []ports.GroupCourse{{Group: g.ID, Course: c.ID}},
			Memberships: []membership.Membership{joined, led}, Enrollments: []enrollment.Enrollment{learns, manages},
			Attempts: []attempt.Attempt{attempt.Restore(in)}, Completions: []attempt.Completion{done},
			QuizAttempts: []quizattempt.Attempt{quizattempt.Restore(first), quizattempt.Restore(second)},
			Events:       []event.Event{viewed, seen},
		},
	}
}

// load adds the batches, each with one call of Add.
func (w world) load(batches ...ports.Batch) error {
	return w.loader.Load(w.ctx(), w.id, func(ctx context.Context, l ports.LoadTx) error {
		for _, b := range batches {
			if err := l.Add(ctx, b); err != nil {
				return err
			}
		}
		return nil
	})
}

// bulkLoads tests ports.Loader and ports.LoadTx.
func bulkLoads(t *testing.T, b Backend) {
	t.Run("Load inserts the same records as the repositories", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		one, two := w.newBatch("one"), w.newBatch("two")
		twin := newTenant(t, b, "Own School")
		twin.save(twin.newBatch("one").records...)
		twin.save(twin.newBatch("two").records...)
		theirs := w.otherTenant.all()
		is.NoErr(w.load(one.Batch, two.Batch))
		got, want := unnumbered(w.all()), unnumbered(twin.all())
		got.School = want.School
		is.Equal(diff(got, want), "")
		is.Equal(w.coursesOf(one.group.ID), twin.coursesOf(one.group.ID))
		is.Equal(w.mustReconcile(), nil)
		is.Equal(diff(w.otherTenant.all(), theirs), "")
	})

	t.Run("Records can refer to existing records", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		old, fresh := w.newBatch("old"), w.newBatch("new")
		w.save(old.records...)
		is.NoErr(w.load(fresh.Batch, ports.Batch{
			GroupCourses: []ports.GroupCourse{{Group: old.group.ID, Course: fresh.course.ID}},
			Memberships:  []membership.Membership{w.newMembership(fresh.learner.ID, old.group.ID, membership.Member)},
			Enrollments: []enrollment.Enrollment{
				w.newEnrollment(old.learner.ID, fresh.course.ID, enrollment.Learner),
				w.newEnrollment(fresh.learner.ID, old.course.ID, enrollment.Learner),
			},
		}))
		is.Equal(w.mustReconcile(), nil)
		found, err := w.read().Courses.Get(w.ctx(), old.course.ID)
		is.NoErr(err)
		is.Equal(found.EnrollmentsCount, int64(2))
	})

	t.Run("An error of fn or Add rolls back everything, and Load returns the error of fn", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.newBatch("one")
		before := w.all()
		err := w.loader.Load(w.ctx(), w.id, func(ctx context.Context, l ports.LoadTx) error {
			return errors.Join(l.Add(ctx, c.Batch), errDropped)
		})
		is.True(errors.Is(err, errDropped))
		is.Equal(diff(w.all(), before), "")
		err = w.loader.Load(w.ctx(), w.id, func(ctx context.Context, l ports.LoadTx) error {
			_, _ = l.Add(ctx, c.Batch), l.Add(ctx, c.Batch) // the second call adds the same records as the first
			return nil
		})
		is.True(errors.Is(err, ports.ErrExists))
		is.Equal(diff(w.all(), before), "")
		is.NoErr(w.load(c.Batch)) // no lock is held
	})

	t.Run("An error of Load or LoadNewSchool is a NotSavedError", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		isNotSaved := func(err error) bool { return errors.As(err, new(*ports.NotSavedError)) }
		nothing := func(context.Context, ports.LoadTx) error { return nil }
		fails := func(context.Context, ports.LoadTx) error { return errDropped }
		is.True(isNotSaved(w.loader.Load(w.ctx(), w.id, fails)))
		is.True(isNotSaved(w.loader.Load(w.ctx(), newSchoolID(), nothing)))
		c := w.newBatch("one").Batch
		is.NoErr(w.load(c))
		is.True(isNotSaved(w.load(c)))
		own, err := w.schools.Get(w.ctx(), w.id)
		is.NoErr(err)
		is.True(isNotSaved(w.loader.LoadNewSchool(w.ctx(), own, nothing)))
		w.do(func(ctx context.Context, _ ports.Tx) error {
			is.True(isNotSaved(w.loader.Load(ctx, w.id, nothing)))
			is.True(isNotSaved(w.loader.LoadNewSchool(ctx, own, nothing)))
			return nil
		})
		ended, cancel := context.WithCancel(w.ctx())
		cancel()
		is.True(isNotSaved(w.loader.Load(ended, w.id, nothing)))
		is.True(isNotSaved(w.loader.LoadNewSchool(ended, own, nothing)))
		is.NoErr(w.loader.Load(w.ctx(), w.id, nothing))
	})

	t.Run("No record is visible before the commit", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		before := w.all()
		is.NoErr(w.loader.Load(w.ctx(), w.id, func(ctx context.Context, l ports.LoadTx) error {
			err := l.Add(ctx, w.newBatch("one").Batch)
			is.Equal(diff(w.all(), before), "")
			return err
		}))
		is.True(len(w.all().People) == 2)
	})

	t.Run("An unknown school is NotFound", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		w.id = newSchoolID()
		is.True(isNotFound(w.load(ports.Batch{})))
	})

	t.Run("A Load in a transaction or a Load, and a transaction in a Load, are errors", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		nothing := func(context.Context, ports.LoadTx) error { return nil }
		w.do(func(ctx context.Context, _ ports.Tx) error {
			is.True(w.loader.Load(ctx, w.id, nothing) != nil)
			return nil
		})
		is.NoErr(w.loader.Load(w.ctx(), w.id, func(ctx context.Context, _ ports.LoadTx) error {
			is.True(w.loader.Load(ctx, w.id, nothing) != nil)
			is.True(w.store.InTx(ctx, w.id, func(context.Context, ports.Tx) error { return nil }) != nil)
			return nil
		}))
	})

	t.Run("An ended context ends a Load and rolls it back", func(t *testing.T) {
		for _, cause := range causes() {
			is, w := is.New(t), newWorld(t, b)
			before := w.all()
			ctx, cancel := cause.end(w.ctx())
			is.True(errors.Is(w.loader.Load(ctx, w.id, func(ctx context.Context, l ports.LoadTx) error {
				return l.Add(ctx, w.newBatch("one").Batch)
			}), cause.err))
			cancel()
			is.Equal(diff(w.all(), before), "")
		}
	})

	t.Run("Derived data is correct regardless of concurrent writes", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		old := w.newBatch("old")
		w.save(old.records...)
		const writers, rounds = 4, 10
		var wg sync.WaitGroup
		errs := make([]error, writers)
		for i := range writers {
			p := w.addPerson(string(rune('p'+i)) + "@example.test")
			wg.Go(func() {
				for range rounds {
					e := w.newEnrollment(p.ID, old.course.ID, enrollment.Learner)
					errs[i] = errors.Join(errs[i], w.try(func(ctx context.Context, tx ports.Tx) error {
						return add(ctx, tx, e)
					}), w.try(func(ctx context.Context, tx ports.Tx) error {
						return second(tx.Enrollments.RemoveFromCourses(ctx, p.ID, enrollment.Learner, []course.ID{old.course.ID}))
					}), w.try(func(ctx context.Context, tx ports.Tx) error {
						return add(ctx, tx, e)
					}))
					errs[i] = errors.Join(errs[i], w.try(func(ctx context.Context, tx ports.Tx) error {
						return second(tx.Enrollments.RemoveFromCourses(ctx, p.ID, enrollment.Learner, []course.ID{old.course.ID}))
					}))
				}
			})
		}
		for _, mark := range []string{"one", "two", "three", "four", "five"} {
			c := w.newBatch(mark)
			c.Enrollments = append(c.Enrollments, w.newEnrollment(c.learner.ID, old.course.ID, enrollment.Learner))
			c.Memberships = append(c.Memberships, w.newMembership(c.learner.ID, old.group.ID, membership.Member))
			is.NoErr(w.load(c.Batch))
		}
		wg.Wait()
		is.NoErr(errors.Join(errs...))
		is.Equal(w.mustReconcile(), nil)
		found, err := w.read().Courses.Get(w.ctx(), old.course.ID)
		is.NoErr(err)
		is.Equal(found.EnrollmentsCount, int64(6))
	})
	loadErrors(t, b)
	loadedEvents(t, b)
}
