package transfer

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
	"lyceum/test/conformance/storetest/fixture"
)

// loadErrors tests the errors of LoadTx.Add.
func loadErrors(t *testing.T, b fixture.Backend) {
	twice := map[string]func(w fixture.World, c fixture.Batch) ports.Batch{
		"a category's name": func(w fixture.World, _ fixture.Batch) ports.Batch {
			return ports.Batch{Categories: []category.Category{category.Restore(w.NewCategory("CATEGORY one"))}}
		},
		"a coupon's code": func(w fixture.World, _ fixture.Batch) ports.Batch {
			return ports.Batch{Coupons: []coupon.Coupon{coupon.Restore(w.NewCoupon("COUPON one"))}}
		},
		"a person's address": func(w fixture.World, _ fixture.Batch) ports.Batch {
			return ports.Batch{People: []person.Person{person.Restore(w.NewPerson("ADA-one@example.test"))}}
		},
		"a course's permalink": func(w fixture.World, _ fixture.Batch) ports.Batch {
			return ports.Batch{Courses: []course.Course{course.Restore(w.NewCourse("course one"))}}
		},
		"a group's name": func(w fixture.World, _ fixture.Batch) ports.Batch {
			return ports.Batch{Groups: []group.Group{group.Restore(w.NewGroup("GROUP one"))}}
		},
		"a role":              func(_ fixture.World, c fixture.Batch) ports.Batch { return ports.Batch{Partnerships: c.Partnerships} },
		"a course of a group": func(_ fixture.World, c fixture.Batch) ports.Batch { return ports.Batch{GroupCourses: c.GroupCourses} },
		"a membership":        func(_ fixture.World, c fixture.Batch) ports.Batch { return ports.Batch{Memberships: c.Memberships[:1]} },
		"an enrollment":       func(_ fixture.World, c fixture.Batch) ports.Batch { return ports.Batch{Enrollments: c.Enrollments[:1]} },
		"the same completion": func(_ fixture.World, c fixture.Batch) ports.Batch { return ports.Batch{Completions: c.Completions} },
		"an attempt's number": func(_ fixture.World, c fixture.Batch) ports.Batch { return ports.Batch{Attempts: c.Attempts} },
		"a quiz attempt's number": func(_ fixture.World, c fixture.Batch) ports.Batch {
			return ports.Batch{QuizAttempts: c.QuizAttempts[:1]}
		},
	}
	for name, batch := range twice {
		t.Run("A record with a taken value is ErrExists: "+name, func(t *testing.T) {
			is, w := is.New(t), fixture.NewWorld(t, b)
			c := w.NewBatch("one")
			w.Save(c.Records...)
			before := w.All()
			is.True(errors.Is(w.Load(batch(w, c)), ports.ErrExists))
			is.Equal(fixture.Diff(w.All(), before), "")
		})
	}

	t.Run("Load calls the function once, even if it returns ErrChanged", func(t *testing.T) {
		is, w, calls := is.New(t), fixture.NewWorld(t, b), 0
		err := w.Loader.Load(w.Context(), w.ID, func(context.Context, ports.LoadTx) error {
			calls++
			return ports.ErrChanged
		})
		is.True(errors.Is(err, ports.ErrChanged))
		is.Equal(calls, 1)
	})

	astray := map[string]func(w fixture.World, c fixture.Batch) ports.Batch{
		"a partnership": func(w fixture.World, _ fixture.Batch) ports.Batch {
			return ports.Batch{Partnerships: []person.Partnership{w.NewPartner(person.ID{UUID: uuid.Max}, person.Manager)}}
		},
		"a course's category": func(w fixture.World, _ fixture.Batch) ports.Batch {
			return ports.Batch{Courses: []course.Course{course.Restore(w.NewCourse("X", fixture.InCategories(category.ID{UUID: uuid.Max})))}}
		},
		"an activity's quiz": func(w fixture.World, c fixture.Batch) ports.Batch {
			a := w.NewActivity(c.Course.ID, "X", activity.QuizContent(quiz.ID{UUID: uuid.Max}))
			return ports.Batch{Activities: []activity.Activity{activity.Restore(a)}}
		},
		"an activity's assignment": func(w fixture.World, c fixture.Batch) ports.Batch {
			a := w.NewActivity(c.Course.ID, "X", activity.AssignmentContent(assignment.ID{UUID: uuid.Max}))
			return ports.Batch{Activities: []activity.Activity{activity.Restore(a)}}
		},
		"a group's course": func(_ fixture.World, c fixture.Batch) ports.Batch {
			return ports.Batch{GroupCourses: []ports.GroupCourse{{Group: c.Group.ID, Course: course.ID{UUID: uuid.Max}}}}
		},
		"a membership": func(w fixture.World, c fixture.Batch) ports.Batch {
			m := w.NewMembership(person.ID{UUID: uuid.Max}, c.Group.ID, membership.Member)
			return ports.Batch{Memberships: []membership.Membership{m}}
		},
		"an enrollment": func(w fixture.World, c fixture.Batch) ports.Batch {
			e := w.NewEnrollment(c.Learner.ID, course.ID{UUID: uuid.Max}, enrollment.Learner)
			return ports.Batch{Enrollments: []enrollment.Enrollment{e}}
		},
		"an attempt": func(w fixture.World, c fixture.Batch) ports.Batch {
			a := w.NewAttempt(person.ID{UUID: uuid.Max}, c.Course.ID, 1)
			return ports.Batch{Attempts: []attempt.Attempt{attempt.Restore(a)}}
		},
		"a completion": func(_ fixture.World, c fixture.Batch) ports.Batch {
			done := c.Completions[0]
			done.Activity.UUID = uuid.Max
			return ports.Batch{Completions: []attempt.Completion{done}}
		},
		"a quiz attempt": func(w fixture.World, c fixture.Batch) ports.Batch {
			r := c.QuizAttempts[0].State()
			r.ID.UUID, r.CourseAttempt.UUID = w.IDs.New(), uuid.Max
			return ports.Batch{QuizAttempts: []quizattempt.Attempt{quizattempt.Restore(r)}}
		},
		"an event": func(w fixture.World, c fixture.Batch) ports.Batch {
			e := event.NewView(person.ID{UUID: uuid.Max}, c.Text.ID)
			e.CreatedAt = w.NextTime()
			return ports.Batch{Events: []event.Event{e}}
		},
	}
	for name, batch := range astray {
		t.Run("A reference to an unknown record is an error: "+name, func(t *testing.T) {
			is, w := is.New(t), fixture.NewWorld(t, b)
			c := w.NewBatch("one")
			w.Save(c.Records...)
			before := w.All()
			is.True(w.Load(batch(w, c)) != nil)
			is.Equal(fixture.Diff(w.All(), before), "")
		})
	}
}

// loadedEvents tests the events that LoadTx.Add adds.
func loadedEvents(t *testing.T, b fixture.Backend) {
	t.Run("Events are added after all events of the feed, with their own times unless the feed has a later one", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.NewBatch("one")
		w.Save(c.Records...)
		last := w.All().Events[1]
		at := func(d time.Duration) event.Event {
			e := event.NewView(c.Learner.ID, c.Text.ID)
			e.CreatedAt = last.CreatedAt.Add(d)
			return e
		}
		is.NoErr(w.Load(
			ports.Batch{Events: []event.Event{at(-time.Hour), at(0)}},
			ports.Batch{Events: []event.Event{at(0), at(time.Hour), at(time.Hour)}},
		))
		held := w.All().Events
		is.Equal(len(held), 7)
		next := last.CreatedAt.Add(time.Millisecond)
		for i, want := range []time.Time{next, next, next, last.CreatedAt.Add(time.Hour), last.CreatedAt.Add(time.Hour)} {
			is.Equal(held[2+i].CreatedAt, want)
			is.True(held[2+i].Position > held[1+i].Position)
		}
		later, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) ([]event.Event, error) {
			return tx.Events.Append(ctx, []event.Event{at(0)}, last.CreatedAt)
		})
		is.NoErr(err)
		is.Equal(later[0].CreatedAt, last.CreatedAt.Add(time.Hour+time.Millisecond))
		is.True(later[0].Position > held[6].Position)
	})

	t.Run("An event earlier than the previous one is an error", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.NewBatch("one")
		early, late := c.Events[0], c.Events[1]
		c.Events = nil
		is.True(w.Load(c.Batch, ports.Batch{Events: []event.Event{late, early}}) != nil)
		is.True(w.Load(c.Batch, ports.Batch{Events: []event.Event{late}}, ports.Batch{Events: []event.Event{early}}) != nil)
		is.Equal(len(w.All().People), 0)
		is.NoErr(w.Load(c.Batch, ports.Batch{Events: []event.Event{early, late}}))
	})

	t.Run("Other appends block from the first event of a Load until its end", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.NewBatch("one")
		w.Save(c.Records...)
		mine, other := event.NewView(c.Learner.ID, c.Text.ID), make(chan error, 1)
		mine.CreatedAt = w.NextTime()
		is.NoErr(w.Loader.Load(w.Context(), w.ID, func(ctx context.Context, l ports.LoadTx) error {
			err := l.Add(ctx, ports.Batch{Events: []event.Event{mine}})
			go func() {
				other <- w.Try(func(ctx context.Context, tx ports.Tx) error {
					e := fixture.Watched(c.Learner.ID, c.Text.ID, 1)
					return fixture.Second(tx.Events.Append(ctx, []event.Event{e}, mine.CreatedAt))
				})
			}()
			return errors.Join(err, l.Add(ctx, ports.Batch{Events: []event.Event{mine}}))
		}))
		is.NoErr(<-other)
		held := w.All().Events
		is.Equal(len(held), 5)
		is.True(held[4].Watched != nil) // appended last, by a transaction that started during the load
	})
}
