package methods

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// Store tests Read and Ready of ports.Store.
func Store(t *testing.T, b fixture.Backend) {
	t.Run("Read returns the school's committed records", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		reader := w.Read()
		_, err := reader.Categories.List(w.Context(), query.Query{})
		is.NoErr(err)
		c := w.AddCategory("Design")
		// A reader is not a snapshot: each call sees everything that was committed before the call.
		found, err := reader.Categories.Get(w.Context(), c.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(found, c), "")
		c.Name = "Drawing"
		is.NoErr(w.TrySaveCategory(c))
		found, err = reader.Categories.Get(w.Context(), c.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(found, c), "")
	})

	t.Run("Read of an unknown school finds nothing", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		ours := fixture.New(w.Tenant, "ours")
		unknown := w.Store.Read(fixture.NewSchoolID())
		for _, v := range portMethods {
			if v.read == nil {
				continue
			}
			t.Run(v.name(), func(t *testing.T) {
				is := is.New(t)
				found, err := v.read(t.Context(), unknown, ours, ours)
				// An empty list and NotFound are both correct here.
				is.True(fixture.IsNotFound(err) || err == nil && found == 0)
			})
		}
	})

	t.Run("A single call sees one consistent state", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada := w.AddPerson("ada@example.test")
		here, there := w.AddCourse("Here").ID, w.AddCourse("There").ID
		w.Enroll(ada.ID, here, enrollment.Learner)

		// The person moves between two courses. At any instant the two courses together have one
		// learner.
		moved := make(chan error, 1)
		go func() { moved <- moveBetween(w.Tenant, ada.ID, 40, here, there) }()
		for done := false; !done; {
			select {
			case err := <-moved:
				is.NoErr(err)
				done = true
			default:
			}
			list, err := w.Read().Courses.List(w.Context(), query.Query{Page: query.AllRows()})
			is.NoErr(err)
			is.Equal(len(list.Items), 2)
			is.Equal(list.Items[0].EnrollmentsCount+list.Items[1].EnrollmentsCount, int64(1))
		}
	})

	t.Run("Ready returns nil if the store is available", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		is.NoErr(w.Store.Ready(w.Context()))
	})
}

// moveBetween moves a learner between two courses the given number of times. Each move is one
// transaction. The first move goes from the course from to the course to, the next move goes back.
func moveBetween(s fixture.Tenant, p person.ID, times int, from, to course.ID) error {
	for range times {
		arrival := s.NewEnrollment(p, to, enrollment.Learner)
		err := s.Try(func(ctx context.Context, tx ports.Tx) error {
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
