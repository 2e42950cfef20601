package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/ports"
)

// class adds people and courses to a school and returns their IDs.
func class(t *testing.T, s ports.Store, id school.ID, people, courses int) ([]person.ID, []course.ID) {
	t.Helper()
	var ps []person.ID
	var cs []course.ID
	err := s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
		ps, cs = nil, nil
		for i := range people {
			p := newPerson(fmt.Sprintf("p%d@example.test", i))
			ps = append(ps, p.State().ID)
			if err := tx.People.Add(ctx, p); err != nil {
				return err
			}
		}
		for i := range courses {
			c := newCourse(fmt.Sprintf("course-%d", i))
			cs = append(cs, c.State().ID)
			if err := tx.Courses.Add(ctx, c); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ps, cs
}

func enroll(ctx context.Context, s ports.Store, id school.ID, es ...enrollment.Enrollment) error {
	return s.InTx(ctx, id, func(ctx context.Context, tx ports.Tx) error {
		_, err := tx.Enrollments.AddIfAbsent(ctx, es)
		return err
	})
}

// Enrolling in a course does not wait for an open transaction that has enrolled another person in
// it. Afterwards both are counted.
func TestConcurrentEnrollmentsDoNotWait(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	id := newSchool(t, s)
	people, courses := class(t, s, id, 3, 1)
	counted := func() int64 {
		t.Helper()
		c, err := s.Read(id).Courses.Get(t.Context(), courses[0])
		is.NoErr(err)
		return c.EnrollmentsCount
	}

	within(t, s, id, func(ctx context.Context, tx ports.Tx) error {
		_, err := tx.Enrollments.AddIfAbsent(ctx, []enrollment.Enrollment{learner(people[0], courses[0])})
		is.NoErr(err)
		is.NoErr(enroll(t.Context(), s, id, learner(people[1], courses[0]))) // a lock would block it forever
		is.Equal(counted(), int64(1))                                        // the first enrollment is not committed
		return nil
	})
	is.Equal(counted(), int64(2))
	is.Equal(count(t, db, `SELECT count(*) FROM course_count_deltas`), 1)

	is.NoErr(enroll(t.Context(), s, id, learner(people[2], courses[0])))
	is.Equal(counted(), int64(3))
	is.Equal(count(t, db, `SELECT count(*) FROM course_count_deltas`), 0) // the deltas were added to the row
}

// A person can leave a course even if another transaction has locked the row of the course.
func TestLeavingLockedCourseDoesNotWait(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	id := newSchool(t, s)
	people, courses := class(t, s, id, 1, 1)
	is.NoErr(enroll(t.Context(), s, id, learner(people[0], courses[0])))
	other := begin(t, db)
	_, err := other.ExecContext(t.Context(), `SELECT FROM courses FOR UPDATE`)
	is.NoErr(err)

	within(t, s, id, func(ctx context.Context, tx ports.Tx) error { return tx.Enrollments.DeleteByPerson(ctx, people[0]) })
	is.NoErr(other.Commit())
	c, err := s.Read(id).Courses.Get(t.Context(), courses[0])
	is.NoErr(err)
	is.Equal(c.EnrollmentsCount, int64(0))
}

// The counts of a transaction are rolled back with it.
func TestRolledBackEnrollmentsAreNotCounted(t *testing.T) {
	is := is.New(t)
	s, _ := freshStore(t)
	id := newSchool(t, s)
	people, courses := class(t, s, id, 2, 1)
	stop := errors.New("stop")
	err := s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
		_, err := tx.Enrollments.AddIfAbsent(ctx, []enrollment.Enrollment{learner(people[0], courses[0])})
		is.NoErr(err)
		return stop
	})
	is.True(errors.Is(err, stop))
	c, err := s.Read(id).Courses.Get(t.Context(), courses[0])
	is.NoErr(err)
	is.Equal(c.EnrollmentsCount, int64(0))
}

// Many writers enroll a few people in a few courses and remove them, in any order. No writer fails,
// and in the end every count equals the number of rows.
func TestCountsUnderContention(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	id := newSchool(t, s)
	people, courses := class(t, s, id, 12, 3)
	const writers, rounds = 12, 25
	var all sync.WaitGroup
	errs := make(chan error, writers)
	for w := range writers {
		all.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(w)))
			for range rounds {
				if err := disturb(t.Context(), s, id, random, people, courses); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	all.Wait()
	close(errs)
	for err := range errs {
		is.NoErr(err)
	}
	// This transaction makes sure that at least one enrollment exists at the end.
	is.NoErr(s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
		_, err := tx.Enrollments.AddIfAbsent(ctx, []enrollment.Enrollment{learner(people[0], courses[0])})
		return err
	}))
	is.Equal(count(t, db, `SELECT count(*) FROM people p WHERE course_count <>
		(SELECT count(*) FROM enrollments e WHERE e.person_id = p.id AND role = 'learner')`), 0)
	is.Equal(count(t, db, `SELECT count(*) FROM courses c WHERE
		enrollments_count + coalesce((SELECT sum(delta) FROM course_count_deltas d WHERE d.course_id = c.id), 0)
		<> (SELECT count(*) FROM enrollments e WHERE e.course_id = c.id AND role = 'learner')`), 0)
	is.True(count(t, db, `SELECT count(*) FROM enrollments`) > 0) // there was something to count
}

// disturb enrolls random people in random courses, or removes a random person from two courses.
func disturb(
	ctx context.Context, s ports.Store, id school.ID, random *rand.Rand, people []person.ID, courses []course.ID,
) error {
	return s.InTx(ctx, id, func(ctx context.Context, tx ports.Tx) error {
		if random.IntN(3) == 0 {
			_, err := tx.Enrollments.RemoveFromCourses(ctx, people[random.IntN(len(people))], enrollment.Learner, courses[:2])
			return err
		}
		var es []enrollment.Enrollment
		for range 1 + random.IntN(6) {
			e := learner(people[random.IntN(len(people))], courses[random.IntN(len(courses))])
			if random.IntN(4) == 0 {
				e.Role = enrollment.Manager
			}
			es = append(es, e)
		}
		_, err := tx.Enrollments.AddIfAbsent(ctx, es)
		return err
	})
}
