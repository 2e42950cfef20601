package counts

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
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/conformance/storetest/lists"
)

// Counts tests the counts that are derived from enrollments as learner: the enrollments of a course
// and the courses of a person. After every transaction they must be correct in results, in filters
// and as sort keys. group_counts.go tests the counts that are derived from memberships.
func Counts(t *testing.T, b fixture.Backend) {
	t.Run("Enrollments as learner are counted, those as manager are not", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		s := newEnrollmentFixture(w.Tenant)
		s.expect([3]int64{0, 0, 0}, [3]int64{0, 0, 0})
		w.Enroll(s.people[0], s.courses[0], enrollment.Learner)
		s.expect([3]int64{1, 0, 0}, [3]int64{1, 0, 0})
		w.Enroll(s.people[0], s.courses[1], enrollment.Manager)
		s.expect([3]int64{1, 0, 0}, [3]int64{1, 0, 0})
		w.Enroll(s.people[0], s.courses[0], enrollment.Manager)
		s.expect([3]int64{1, 0, 0}, [3]int64{1, 0, 0})
	})

	t.Run("Several enrollments added at once are counted, ignored ones are not", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		s := newEnrollmentFixture(w.Tenant)
		w.TryEnroll(s.allEnrollments()...)
		s.expect([3]int64{3, 3, 3}, [3]int64{3, 3, 3})
		w.TryEnroll(s.allEnrollments()...)
		s.expect([3]int64{3, 3, 3}, [3]int64{3, 3, 3})
		twice := append(s.allEnrollments(), s.allEnrollments()...)
		w.Unenroll(s.people[1], enrollment.Learner, s.courses[:]...)
		s.expect([3]int64{2, 2, 2}, [3]int64{3, 0, 3})
		w.TryEnroll(twice...)
		s.expect([3]int64{3, 3, 3}, [3]int64{3, 3, 3})
	})

	t.Run("Removed enrollments are not counted", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		s := newEnrollmentFixture(w.Tenant)
		w.TryEnroll(s.allEnrollments()...)
		w.Enroll(s.people[2], s.courses[2], enrollment.Manager)
		w.Unenroll(s.people[0], enrollment.Learner, s.courses[0], s.courses[1])
		s.expect([3]int64{2, 2, 3}, [3]int64{1, 3, 3})
		w.Unenroll(s.people[0], enrollment.Learner, s.courses[0], s.courses[1])
		s.expect([3]int64{2, 2, 3}, [3]int64{1, 3, 3})
		w.Unenroll(s.people[2], enrollment.Manager, s.courses[2])
		s.expect([3]int64{2, 2, 3}, [3]int64{1, 3, 3})
		w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.Enrollments.DeleteByPerson(ctx, s.people[1]) })
		s.expect([3]int64{1, 1, 2}, [3]int64{1, 0, 3})
	})

	t.Run("Several writes in one transaction are all counted", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		s := newEnrollmentFixture(w.Tenant)
		all := s.allEnrollments()
		w.Do(func(ctx context.Context, tx ports.Tx) error {
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
		is, w := is.New(t), fixture.NewWorld(t, b)
		s := newEnrollmentFixture(w.Tenant)
		w.Enroll(s.people[0], s.courses[0], enrollment.Learner)
		err := w.Try(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Enrollments.DeleteByPerson(ctx, s.people[0]); err != nil {
				return err
			}
			if _, err := tx.Enrollments.AddIfAbsent(ctx, s.allEnrollments()); err != nil {
				return err
			}
			return fixture.ErrDropped
		})
		is.True(err != nil)
		s.expect([3]int64{1, 0, 0}, [3]int64{1, 0, 0})
	})

	t.Run("Saving or activating a person does not change the count", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		s := newEnrollmentFixture(w.Tenant)
		w.TryEnroll(s.allEnrollments()...)
		p, err := w.PersonForUpdate(s.people[0])
		is.NoErr(err)
		p.FirstName = "Augusta"
		is.NoErr(w.TrySavePerson(p))
		s.expect([3]int64{3, 3, 3}, [3]int64{3, 3, 3})
	})

	t.Run("updated_at does not change with the counts", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		s := newEnrollmentFixture(w.Tenant)
		person, course := w.PersonSummary(s.people[0]).State, w.CourseSummary(s.courses[0]).State
		w.TryEnroll(s.allEnrollments()...)
		is.Equal(fixture.Diff(w.PersonSummary(s.people[0]).State, person), "")
		is.Equal(fixture.Diff(w.CourseSummary(s.courses[0]).State, course), "")
	})
}

// enrollmentFixture has three people and three courses.
type enrollmentFixture struct {
	fixture.Tenant
	people  [3]person.ID
	courses [3]course.ID
}

func newEnrollmentFixture(s fixture.Tenant) enrollmentFixture {
	s.T.Helper()
	c := enrollmentFixture{Tenant: s}
	for i := range c.people {
		name := strconv.Itoa(i)
		c.people[i] = s.AddPerson("p" + name + "@example.test").ID
		c.courses[i] = s.AddCourse("Course " + name).ID
	}
	return c
}

// allEnrollments returns a new enrollment as learner for each person in each course, ordered by
// person.
func (c enrollmentFixture) allEnrollments() []enrollment.Enrollment {
	var es []enrollment.Enrollment
	for _, p := range c.people {
		for _, id := range c.courses {
			es = append(es, c.NewEnrollment(p, id, enrollment.Learner))
		}
	}
	return es
}

// expect checks the counts of the courses and of the people: in single records, in lists, in
// filters and as sort keys.
func (c enrollmentFixture) expect(courses, people [3]int64) {
	c.T.Helper()
	is := is.New(c.T)
	for i := range courses {
		is.Equal(c.CourseSummary(c.courses[i]).EnrollmentsCount, courses[i]) // a single course
		is.Equal(c.PersonSummary(c.people[i]).CourseCount, people[i])        // a single person
	}
	courseRows, personRows := c.Tenant.All().Courses, c.Tenant.All().People
	for i := range courses {
		is.Equal(courseRows[i].EnrollmentsCount, courses[i]) // the list of courses
		is.Equal(personRows[i].CourseCount, people[i])       // the list of people
	}
	expectCounts(c.Tenant, lists.CourseCase, "enrollments_count", courseRows)
	expectCounts(c.Tenant, lists.PersonCase, "course_count", personRows)
}

// expectCounts checks lists that are filtered and sorted by the count with the given attribute
// name. rows are all rows of the list.
func expectCounts[T any](s fixture.Tenant, c *lists.Case[T], name string, rows []T) {
	s.T.Helper()
	attr, known := c.Schema.Attr(name), c.ExpectedRows(rows)
	for n := range int64(5) {
		equal := query.Cond{Attr: attr, Op: query.Eq, Values: []query.Value{{Int: n}}}
		c.Check(s, known, query.Query{Where: equal, Sort: c.Schema.Default()})
		more := query.Cond{Attr: attr, Op: query.Gt, Values: []query.Value{{Int: n}}}
		c.Check(s, known, query.Query{Where: more, Sort: []query.Order{{Attr: attr, Desc: true}}})
	}
	c.Check(s, known, query.Query{Sort: []query.Order{{Attr: attr}}})
}
