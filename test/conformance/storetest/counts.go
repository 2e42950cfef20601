package storetest

import (
	"context"
	"strconv"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
)

// counts tests the counts that are derived from enrollments as learner: the enrollments of a course
// and the courses of a person. After every transaction they must be correct in results, in filters
// and as sort keys. group_counts.go tests the counts that are derived from memberships.
func counts(t *testing.T, b Backend) {
	t.Run("Enrollments as learner are counted, those as manager are not", func(t *testing.T) {
		w := newWorld(t, b)
		s := newEnrollmentFixture(w.tenant)
		s.expect([3]int64{0, 0, 0}, [3]int64{0, 0, 0})
		w.enroll(s.people[0], s.courses[0], enrollment.Learner)
		s.expect([3]int64{1, 0, 0}, [3]int64{1, 0, 0})
		w.enroll(s.people[0], s.courses[1], enrollment.Manager)
		s.expect([3]int64{1, 0, 0}, [3]int64{1, 0, 0})
		w.enroll(s.people[0], s.courses[0], enrollment.Manager)
		s.expect([3]int64{1, 0, 0}, [3]int64{1, 0, 0})
	})

	t.Run("Several enrollments added at once are counted, ignored ones are not", func(t *testing.T) {
		w := newWorld(t, b)
		s := newEnrollmentFixture(w.tenant)
		w.tryEnroll(s.allEnrollments()...)
		s.expect([3]int64{3, 3, 3}, [3]int64{3, 3, 3})
		w.tryEnroll(s.allEnrollments()...)
		s.expect([3]int64{3, 3, 3}, [3]int64{3, 3, 3})
		twice := append(s.allEnrollments(), s.allEnrollments()...)
		w.unenroll(s.people[1], enrollment.Learner, s.courses[:]...)
		s.expect([3]int64{2, 2, 2}, [3]int64{3, 0, 3})
		w.tryEnroll(twice...)
		s.expect([3]int64{3, 3, 3}, [3]int64{3, 3, 3})
	})

	t.Run("Removed enrollments are not counted", func(t *testing.T) {
		w := newWorld(t, b)
		s := newEnrollmentFixture(w.tenant)
		w.tryEnroll(s.allEnrollments()...)
		w.enroll(s.people[2], s.courses[2], enrollment.Manager)
		w.unenroll(s.people[0], enrollment.Learner, s.courses[0], s.courses[1])
		s.expect([3]int64{2, 2, 3}, [3]int64{1, 3, 3})
		w.unenroll(s.people[0], enrollment.Learner, s.courses[0], s.courses[1])
		s.expect([3]int64{2, 2, 3}, [3]int64{1, 3, 3})
		w.unenroll(s.people[2], enrollment.Manager, s.courses[2])
		s.expect([3]int64{2, 2, 3}, [3]int64{1, 3, 3})
		w.do(func(ctx context.Context, tx ports.Tx) error { return tx.Enrollments.DeleteByPerson(ctx, s.people[1]) })
		s.expect([3]int64{1, 1, 2}, [3]int64{1, 0, 3})
	})

	t.Run("Several writes in one transaction are all counted", func(t *testing.T) {
		w := newWorld(t, b)
		s := newEnrollmentFixture(w.tenant)
		all := s.allEnrollments()
		w.do(func(ctx context.Context, tx ports.Tx) error {
			if _, err := tx.Enrollments.AddIfAbsent(ctx, all[:6]); err != nil {
				return err
			}
			if _, err := tx.Enrollments.RemoveFromCourses(ctx, s.people[0], enrollment.Learner, s.courses[:1]); err != nil {
				return err
			}
			if err := tx.Enrollments.DeleteByPerson(ctx, s.people[1]); err != nil {
				return err
			}
			_, err := tx.Enrollments.AddIfAbsent(ctx, all[5:])
			return err
		})
		s.expect([3]int64{1, 2, 3}, [3]int64{2, 1, 3})
	})

	t.Run("Rolled-back writes are not counted", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		s := newEnrollmentFixture(w.tenant)
		w.enroll(s.people[0], s.courses[0], enrollment.Learner)
		err := w.try(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Enrollments.DeleteByPerson(ctx, s.people[0]); err != nil {
				return err
			}
			if _, err := tx.Enrollments.AddIfAbsent(ctx, s.allEnrollments()); err != nil {
				return err
			}
			return errDropped
		})
		is.True(err != nil)
		s.expect([3]int64{1, 0, 0}, [3]int64{1, 0, 0})
	})

	t.Run("Saving or activating a person does not change the count", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		s := newEnrollmentFixture(w.tenant)
		w.tryEnroll(s.allEnrollments()...)
		p, err := w.personForUpdate(s.people[0])
		is.NoErr(err)
		p.FirstName = "Augusta"
		is.NoErr(w.trySavePerson(p))
		s.expect([3]int64{3, 3, 3}, [3]int64{3, 3, 3})
	})

	t.Run("updated_at does not change with the counts", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		s := newEnrollmentFixture(w.tenant)
		person, course := w.personSummary(s.people[0]).State, w.courseSummary(s.courses[0]).State
		w.tryEnroll(s.allEnrollments()...)
		is.Equal(diff(w.personSummary(s.people[0]).State, person), "")
		is.Equal(diff(w.courseSummary(s.courses[0]).State, course), "")
	})
}

// enrollmentFixture has three people and three courses.
type enrollmentFixture struct {
	tenant
	people  [3]person.ID
	courses [3]course.ID
}

func newEnrollmentFixture(s tenant) enrollmentFixture {
	s.t.Helper()
	c := enrollmentFixture{tenant: s}
	for i := range c.people {
		name := strconv.Itoa(i)
		c.people[i] = s.addPerson("p" + name + "@example.test").ID
		c.courses[i] = s.addCourse("Course " + name).ID
	}
	return c
}

// allEnrollments returns a new enrollment as learner for each person in each course, ordered by
// person.
func (c enrollmentFixture) allEnrollments() []enrollment.Enrollment {
	var es []enrollment.Enrollment
	for _, p := range c.people {
		for _, id := range c.courses {
			es = append(es, c.newEnrollment(p, id, enrollment.Learner))
		}
	}
	return es
}

// expect checks the counts of the courses and of the people: in single records, in lists, in
// filters and as sort keys.
func (c enrollmentFixture) expect(courses, people [3]int64) {
	c.t.Helper()
	is := is.New(c.t)
	for i := range courses {
		is.Equal(c.courseSummary(c.courses[i]).EnrollmentsCount, courses[i]) // a single course
		is.Equal(c.personSummary(c.people[i]).CourseCount, people[i])        // a single person
	}
	courseRows, personRows := c.tenant.all().Courses, c.tenant.all().People
	for i := range courses {
		is.Equal(courseRows[i].EnrollmentsCount, courses[i]) // the list of courses
		is.Equal(personRows[i].CourseCount, people[i])       // the list of people
	}
	expectCounts(c.tenant, courseCase, "enrollments_count", courseRows)
	expectCounts(c.tenant, personCase, "course_count", personRows)
}

// expectCounts checks lists that are filtered and sorted by the count with the given attribute
// name. rows are all rows of the list.
func expectCounts[T any](s tenant, c *listCase[T], name string, rows []T) {
	s.t.Helper()
	attr, known := c.schema.Attr(name), c.expectedRows(rows)
	for n := range int64(5) {
		equal := query.Cond{Attr: attr, Op: query.Eq, Values: []query.Value{{Int: n}}}
		c.check(s, known, query.Query{Where: equal, Sort: c.schema.Default()})
		more := query.Cond{Attr: attr, Op: query.Gt, Values: []query.Value{{Int: n}}}
		c.check(s, known, query.Query{Where: more, Sort: []query.Order{{Attr: attr, Desc: true}}})
	}
	c.check(s, known, query.Query{Sort: []query.Order{{Attr: attr}}})
}
