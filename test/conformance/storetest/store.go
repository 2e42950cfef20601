package storetest

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
)

// store tests Read and Ready of ports.Store.
func store(t *testing.T, b Backend) {
	t.Run("Read returns the school's committed records", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		reader := w.read()
		_, err := reader.Categories.List(w.ctx(), query.Query{})
		is.NoErr(err)
		c := w.addCategory("Design")
		// A reader is not a snapshot: each call sees everything that was committed before the call.
		found, err := reader.Categories.Get(w.ctx(), c.ID)
		is.NoErr(err)
		is.Equal(diff(found, c), "")
		c.Name = "Drawing"
		is.NoErr(w.trySaveCategory(c))
		found, err = reader.Categories.Get(w.ctx(), c.ID)
		is.NoErr(err)
		is.Equal(diff(found, c), "")
	})

	t.Run("Read of an unknown school finds nothing", func(t *testing.T) {
		w := newWorld(t, b)
		ours := newFixture(w.tenant, "ours")
		unknown := w.store.Read(newSchoolID())
		for _, v := range portMethods {
			if v.read == nil {
				continue
			}
			t.Run(v.name(), func(t *testing.T) {
				is := is.New(t)
				found, err := v.read(t.Context(), unknown, ours, ours)
				// An empty list and NotFound are both correct here.
				is.True(isNotFound(err) || err == nil && found == 0)
			})
		}
	})

	t.Run("A single call sees one consistent state", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada := w.addPerson("ada@example.test")
		here, there := w.addCourse("Here").ID, w.addCourse("There").ID
		w.enroll(ada.ID, here, enrollment.Learner)

		// The person moves between two courses. At any instant the two courses together have one
		// learner.
		moved := make(chan error, 1)
		go func() { moved <- w.moveBetween(ada.ID, 40, here, there) }()
		for done := false; !done; {
			select {
			case err := <-moved:
				is.NoErr(err)
				done = true
			default:
			}
			list, err := w.read().Courses.List(w.ctx(), query.Query{Page: query.AllRows()})
			is.NoErr(err)
			is.Equal(len(list.Items), 2)
			is.Equal(list.Items[0].EnrollmentsCount+list.Items[1].EnrollmentsCount, int64(1))
		}
	})

	t.Run("Ready returns nil if the store is available", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		is.NoErr(w.store.Ready(w.ctx()))
	})
}

// moveBetween moves a learner between two courses the given number of times. Each move is one
// transaction. The first move goes from the course from to the course to, the next move goes back.
func (s tenant) moveBetween(p person.ID, times int, from, to course.ID) error {
	for range times {
		arrival := s.newEnrollment(p, to, enrollment.Learner)
		err := s.try(func(ctx context.Context, tx ports.Tx) error {
			if _, err := tx.Enrollments.RemoveFromCourses(ctx, p, enrollment.Learner, []course.ID{from}); err != nil {
				return err
			}
			_, err := tx.Enrollments.AddIfAbsent(ctx, []enrollment.Enrollment{arrival})
			return err
		})
		if err != nil {
			return err
		}
		from, to = to, from
	}
	return nil
}
