package memory

import (
	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
)

var _ ports.CourseAnalytics = courseAnalytics{}

type courseAnalytics = lister[analytics.CourseProgress]

func listCourseAnalytics(s *state) ordered.Listing {
	return ordered.Derived(analytics.CourseSchema, s.courseAnalytics.table, s.courseRow, nil, ordered.Finders{
		"uuid":              func(_ query.Attr, v query.Value) (any, bool) { return s.courseRowByKey(v.Text) },
		"course_attempt.id": func(_ query.Attr, v query.Value) (any, bool) { return s.courseRowOf(v.ID) },
	})
}

// courseRow returns r with its progress and the current names of its person and course.
func (s *state) courseRow(r *courseRow) analytics.CourseProgress {
	p, _ := s.people.table.ByID.Get(r.enrollment.Person.UUID)
	c, _ := s.courses.table.ByID.Get(r.enrollment.Course.UUID)
	row := analytics.CourseProgress{
		Person: r.enrollment.Person, Course: r.enrollment.Course, Attempt: attempt.ID{UUID: r.attempt}, EnrolledAt: r.enrollment.CreatedAt,
		PersonName: p.Row.FullName(), PersonEmail: p.Row.Email, CourseName: c.Row.Name,
	}
	if a, ok := s.attempts.table.byID.Get(r.attempt); ok {
		row.Progress, row.LastActivityCompletedAt = a.Progress, clonePointer(a.LastCompletedAt)
	}
	return row
}

// courseRowByKey returns the row with the composite id key, and reports whether it exists.
func (s *state) courseRowByKey(key string) (*courseRow, bool) {
	ids := ordered.IDsIn(key)
	if len(ids) != 3 {
		return nil, false
	}
	return s.courseRowIn(person.ID{UUID: ids[0]}, course.ID{UUID: ids[1]}, ids[2])
}

// courseRowOf returns the row of the attempt id, and reports whether it exists.
func (s *state) courseRowOf(id uuid.UUID) (*courseRow, bool) {
	a, ok := s.attempts.table.byID.Get(id)
	if !ok {
		return nil, false
	}
	return s.courseRowIn(a.Person, a.Course, id)
}

func (s *state) courseRowIn(p person.ID, c course.ID, id uuid.UUID) (*courseRow, bool) {
	e, ok := s.enrolled(p, enrollment.Learner, c)
	if !ok {
		return nil, false
	}
	return s.courseAnalytics.table.All.Get(&courseRow{e, id})
}
