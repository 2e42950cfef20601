package memory

import (
	"context"
	"iter"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/adapters/memory/tables"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
)

var _ ports.CourseAnalytics = courseAnalytics{}

type courseAnalytics struct {
	lister[analytics.CourseProgress]
}

func courseAnalyticsIn(v view) courseAnalytics {
	return courseAnalytics{lister[analytics.CourseProgress]{v, listCourseAnalytics}}
}

// LatestMany implements ports.CourseAnalytics.
func (r courseAnalytics) LatestMany(
	ctx context.Context, pairs []enrollment.PersonCourse,
) (map[enrollment.PersonCourse]attempt.Attempt, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return nil, err
	}
	return s.latestAttempts(pairs), nil
}

func (s *state) latestAttempts(pairs []enrollment.PersonCourse) map[enrollment.PersonCourse]attempt.Attempt {
	found := make(map[enrollment.PersonCourse]attempt.Attempt, len(pairs))
	for _, pair := range pairs {
		if last, ok := s.attempts.table.Latest(pair.Person, pair.Course); ok {
			found[pair] = attempt.Restore(cloneAttempt(*last))
		}
	}
	return found
}

func listCourseAnalytics(s *state) ordered.Listing {
	return ordered.Derived(analytics.CourseSchema, s.courseAnalytics.table, s.courseRow, nil, ordered.Finders{
		"uuid":              func(_ query.Attr, v query.Value) (any, bool) { return s.courseRowByKey(v.Text) },
		"course_attempt.id": func(_ query.Attr, v query.Value) (any, bool) { return s.courseRowOf(v.ID) },
	})
}

// courseRow returns r with its progress and the current names of its person and course.
func (s *state) courseRow(r *tables.CourseRow) analytics.CourseProgress {
	p, _ := s.people.table.ByID.Get(r.Enrollment.Person.UUID)
	c, _ := s.courses.table.ByID.Get(r.Enrollment.Course.UUID)
	row := analytics.CourseProgress{
		Person: r.Enrollment.Person, Course: r.Enrollment.Course, Attempt: attempt.ID{UUID: r.Attempt}, EnrolledAt: r.Enrollment.CreatedAt(),
		PersonName: p.Row.FullName(), PersonEmail: p.Row.Email, CourseName: c.Row.Name,
	}
	if a, ok := s.attempts.table.ByID.Get(r.Attempt); ok {
		row.Progress, row.LastActivityCompletedAt = a.Progress, tables.ClonePointer(a.LastCompletedAt)
	}
	return row
}

// courseRowByKey returns the row with the composite id key, and reports whether it exists.
func (s *state) courseRowByKey(key string) (*tables.CourseRow, bool) {
	ids := ordered.IDsIn(key)
	if len(ids) != 3 {
		return nil, false
	}
	return s.courseRowIn(person.ID{UUID: ids[0]}, course.ID{UUID: ids[1]}, ids[2])
}

// courseRowOf returns the row of the attempt id, and reports whether it exists.
func (s *state) courseRowOf(id uuid.UUID) (*tables.CourseRow, bool) {
	a, ok := s.attempts.table.ByID.Get(id)
	if !ok {
		return nil, false
	}
	return s.courseRowIn(a.Person, a.Course, id)
}

func (s *state) courseRowIn(p person.ID, c course.ID, id uuid.UUID) (*tables.CourseRow, bool) {
	e, ok := s.enrolled(p, enrollment.Learner, c)
	if !ok {
		return nil, false
	}
	return s.courseAnalytics.table.All.Get(&tables.CourseRow{Enrollment: e, Attempt: id})
}

// courseRows yields the rows of a learner's enrollment: one for each attempt, or a single row if
// there is none. Other roles have no rows.
func (s *state) courseRows(e *tables.Enrollment) iter.Seq[*tables.CourseRow] {
	return func(yield func(*tables.CourseRow) bool) {
		if !e.Learner {
			return
		}
		if _, ok := s.attempts.table.Latest(e.Person, e.Course); !ok {
			yield(&tables.CourseRow{Enrollment: e})
			return
		}
		for a := range s.attempts.table.OfPersonInCourse(e.Person, e.Course) {
			if !yield(&tables.CourseRow{Enrollment: e, Attempt: a.ID.UUID}) {
				return
			}
		}
	}
}

// addAnalyticsRows inserts the rows of an enrollment.
func (s *state) addAnalyticsRows(e *tables.Enrollment) {
	rows := s.courseAnalytics.writable(s.version)
	for r := range s.courseRows(e) {
		rows.Set(r)
	}
}

// removeAnalyticsRows removes the rows of an enrollment.
func (s *state) removeAnalyticsRows(e *tables.Enrollment) {
	rows := s.courseAnalytics.writable(s.version)
	for r := range s.courseRows(e) {
		rows.Remove(r)
	}
}

// addAttempt inserts an attempt and its row, and removes the row of an enrollment without an
// attempt.
func (s *state) addAttempt(a *attempt.State) {
	_, others := s.attempts.table.Latest(a.Person, a.Course)
	s.attempts.writable(s.version).Set(a)
	e, ok := s.enrolled(a.Person, enrollment.Learner, a.Course)
	if !ok {
		return
	}
	rows := s.courseAnalytics.writable(s.version)
	if !others {
		rows.Remove(&tables.CourseRow{Enrollment: e})
	}
	rows.Set(&tables.CourseRow{Enrollment: e, Attempt: a.ID.UUID})
}

// removeAttempt removes an attempt and its row. If it was the only one, it adds the row of an
// enrollment without an attempt.
func (s *state) removeAttempt(a *attempt.State) {
	s.attempts.writable(s.version).Remove(a)
	e, ok := s.enrolled(a.Person, enrollment.Learner, a.Course)
	if !ok {
		return
	}
	rows := s.courseAnalytics.writable(s.version)
	rows.Remove(&tables.CourseRow{Enrollment: e, Attempt: a.ID.UUID})
	if _, others := s.attempts.table.Latest(a.Person, a.Course); !others {
		rows.Set(&tables.CourseRow{Enrollment: e})
	}
}

var _ ports.Completions = completions{}

type completions = lister[analytics.Completion]

func listCompletions(s *state) ordered.Listing {
	kept := s.attempts.table
	return ordered.Derived(analytics.CompletionSchema, kept.CompletionRows, s.completion, nil, ordered.Finders{
		"uuid": func(_ query.Attr, v query.Value) (any, bool) { return kept.CompletionByKey(v.Text) },
	})
}

// completion returns c with the current names of its person, course and activity.
func (s *state) completion(c *tables.CompletionRow) analytics.Completion {
	p, _ := s.people.table.ByID.Get(c.Of.Person.UUID)
	in, _ := s.courses.table.ByID.Get(c.Of.Course.UUID)
	a, _ := s.activities.table.ByID.Get(c.Activity.UUID)
	return analytics.Completion{
		Completion: c.Completion, Person: c.Of.Person, Course: c.Of.Course, CourseAttemptNumber: c.Of.Number,
		PersonName: p.Row.FullName(), PersonEmail: p.Row.Email, CourseName: in.Row.Name, ActivityTitle: a.Row.Title,
	}
}
