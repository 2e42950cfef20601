package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/attempt"
	"lyceum/domain/category"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/ports"
)

// loadErrors tests the errors of LoadTx.Add.
func loadErrors(t *testing.T, b Backend) {
	twice := map[string]func(w world, c batch) ports.Batch{
		"a category's name": func(w world, _ batch) ports.Batch {
			return ports.Batch{Categories: []category.Category{category.Restore(w.newCategory("CATEGORY one"))}}
		},
		"a coupon's code": func(w world, _ batch) ports.Batch {
			return ports.Batch{Coupons: []coupon.Coupon{coupon.Restore(w.newCoupon("COUPON one"))}}
		},
		"a person's address": func(w world, _ batch) ports.Batch {
			return ports.Batch{People: []person.Person{person.Restore(w.newPerson("ADA-one@example.test"))}}
		},
		"a course's permalink": func(w world, _ batch) ports.Batch {
			return ports.Batch{Courses: []course.Course{course.Restore(w.newCourse("course one"))}}
		},
		"a group's name": func(w world, _ batch) ports.Batch {
			return ports.Batch{Groups: []group.Group{group.Restore(w.newGroup("GROUP one"))}}
		},
		"a role":                  func(_ world, c batch) ports.Batch { return ports.Batch{Partnerships: c.Partnerships} },
		"a course of a group":     func(_ world, c batch) ports.Batch { return ports.Batch{GroupCourses: c.GroupCourses} },
		"a membership":            func(_ world, c batch) ports.Batch { return ports.Batch{Memberships: c.Memberships[:1]} },
		"an enrollment":           func(_ world, c batch) ports.Batch { return ports.Batch{Enrollments: c.Enrollments[:1]} },
		"the same completion":     func(_ world, c batch) ports.Batch { return ports.Batch{Completions: c.Completions} },
		"an attempt's number":     func(_ world, c batch) ports.Batch { return ports.Batch{Attempts: c.Attempts} },
		"a quiz attempt's number": func(_ world, c batch) ports.Batch { return ports.Batch{QuizAttempts: c.QuizAttempts[:1]} },
	}
	for name, batch := range twice {
		t.Run("A record with a taken value is ErrExists: "+name, func(t *testing.T) {
			is, w := is.New(t), newWorld(t, b)
			c := w.newBatch("one")
			w.save(c.records...)
			before := w.all()
			is.True(errors.Is(w.load(batch(w, c)), ports.ErrExists))
			is.Equal(diff(w.all(), before), "")
		})
	}

	t.Run("Load calls the function once, even if it returns ErrChanged", func(t *testing.T) {
		is, w, calls := is.New(t), newWorld(t, b), 0
		err := w.loader.Load(w.ctx(), w.id, func(context.Context, ports.LoadTx) error {
			calls++
			return ports.ErrChanged
		})
		is.True(errors.Is(err, ports.ErrChanged))
		is.Equal(calls, 1)
	})

	astray := map[string]func(w world, c batch) ports.Batch{
		"a partnership": func(w world, _ batch) ports.Batch {
			return ports.Batch{Partnerships: []person.Partnership{w.newPartner(person.ID{UUID: uuid.Max}, person.Manager)}}
		},
		"a course's category": func(w world, _ batch) ports.Batch {
			return ports.Batch{Courses: []course.Course{course.Restore(w.newCourse("X", inCategories(category.ID{UUID: uuid.Max})))}}
		},
		"an activity's quiz": func(w world, c batch) ports.Batch {
			a := w.newActivity(c.course.ID, "X", activity.QuizContent(quiz.ID{UUID: uuid.Max}))
			return ports.Batch{Activities: []activity.Activity{activity.Restore(a)}}
		},
		"an activity's assignment": func(w world, c batch) ports.Batch {
			a := w.newActivity(c.course.ID, "X", activity.AssignmentContent(assignment.ID{UUID: uuid.Max}))
			return ports.Batch{Activities: []activity.Activity{activity.Restore(a)}}
		},
		"a group's course": func(_ world, c batch) ports.Batch {
			return ports.Batch{GroupCourses: []ports.GroupCourse{{Group: c.group.ID, Course: course.ID{UUID: uuid.Max}}}}
		},
		"a membership": func(w world, c batch) ports.Batch {
			m := w.newMembership(person.ID{UUID: uuid.Max}, c.group.ID, membership.Member)
			return ports.Batch{Memberships: []membership.Membership{m}}
		},
		"an enrollment": func(w world, c batch) ports.Batch {
			e := w.newEnrollment(c.learner.ID, course.ID{UUID: uuid.Max}, enrollment.Learner)
			return ports.Batch{Enrollments: []enrollment.Enrollment{e}}
		},
		"an attempt": func(w world, c batch) ports.Batch {
			a := w.newAttempt(person.ID{UUID: uuid.Max}, c.course.ID, 1)
			return ports.Batch{Attempts: []attempt.Attempt{attempt.Restore(a)}}
		},
		"a completion": func(_ world, c batch) ports.Batch {
			done := c.Completions[0]
			done.Activity.UUID = uuid.Max
			return ports.Batch{Completions: []attempt.Completion{done}}
		},
		"a quiz attempt": func(w world, c batch) ports.Batch {
			r := c.QuizAttempts[0].State()
			r.ID.UUID, r.CourseAttempt.UUID = w.ids.New(), uuid.Max
			return ports.Batch{QuizAttempts: []quizattempt.Attempt{quizattempt.Restore(r)}}
		},
		"an event": func(w world, c batch) ports.Batch {
			e := event.NewView(person.ID{UUID: uuid.Max}, c.text.ID)
			e.CreatedAt = w.nextTime()
			return ports.Batch{Events: []event.Event{e}}
		},
	}
	for name, batch := range astray {
		t.Run("A reference to an unknown record is an error: "+name, func(t *testing.T) {
			is, w := is.New(t), newWorld(t, b)
			c := w.newBatch("one")
			w.save(c.records...)
			before := w.all()
			is.True(w.load(batch(w, c)) != nil)
			is.Equal(diff(w.all(), before), "")
		})
	}
}

// loadedEvents tests the events that LoadTx.Add adds.
func loadedEvents(t *testing.T, b Backend) {
	t.Run("Events are added after all events of the feed, with their own times unless the feed has a later one", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.newBatch("one")
		w.save(c.records...)
		last := w.all().Events[1]
		at := func(d time.Duration) event.Event {
			e := event.NewView(c.learner.ID, c.text.ID)
			e.CreatedAt = last.CreatedAt.Add(d)
			return e
		}
		is.NoErr(w.load(
			ports.Batch{Events: []event.Event{at(-time.Hour), at(0)}},
			ports.Batch{Events: []event.Event{at(0), at(time.Hour), at(time.Hour)}},
		))
		held := w.all().Events
		is.Equal(len(held), 7)
		next := last.CreatedAt.Add(time.Millisecond)
		for i, want := range []time.Time{next, next, next, last.CreatedAt.Add(time.Hour), last.CreatedAt.Add(time.Hour)} {
			is.Equal(held[2+i].CreatedAt, want)
			is.True(held[2+i].Position > held[1+i].Position)
		}
		later, err := inTx(w.tenant, func(ctx context.Context, tx ports.Tx) ([]event.Event, error) {
			return tx.Events.Append(ctx, []event.Event{at(0)}, last.CreatedAt)
		})
		is.NoErr(err)
		is.Equal(later[0].CreatedAt, last.CreatedAt.Add(time.Hour+time.Millisecond))
		is.True(later[0].Position > held[6].Position)
	})

	t.Run("An event earlier than the previous one is an error", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.newBatch("one")
		early, late := c.Events[0], c.Events[1]
		c.Events = nil
		is.True(w.load(c.Batch, ports.Batch{Events: []event.Event{late, early}}) != nil)
		is.True(w.load(c.Batch, ports.Batch{Events: []event.Event{late}}, ports.Batch{Events: []event.Event{early}}) != nil)
		is.Equal(len(w.all().People), 0)
		is.NoErr(w.load(c.Batch, ports.Batch{Events: []event.Event{early, late}}))
	})

	t.Run("Other appends block from the first event of a Load until its end", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.newBatch("one")
		w.save(c.records...)
		mine, other := event.NewView(c.learner.ID, c.text.ID), make(chan error, 1)
		mine.CreatedAt = w.nextTime()
		is.NoErr(w.loader.Load(w.ctx(), w.id, func(ctx context.Context, l ports.LoadTx) error {
			err := l.Add(ctx, ports.Batch{Events: []event.Event{mine}})
			go func() {
				other <- w.try(func(ctx context.Context, tx ports.Tx) error {
					e := watched(c.learner.ID, c.text.ID, 1)
					return second(tx.Events.Append(ctx, []event.Event{e}, mine.CreatedAt))
				})
			}()
			return errors.Join(err, l.Add(ctx, ports.Batch{Events: []event.Event{mine}}))
		}))
		is.NoErr(<-other)
		held := w.all().Events
		is.Equal(len(held), 5)
		is.True(held[4].Watched != nil) // appended last, by a transaction that started during the load
	})
}
