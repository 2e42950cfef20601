package memory

import (
	"cmp"
	"iter"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
)

// courseRow is a row of the course analytics: a learner's enrollment and one of their attempts
// at the course. The attempt is zero if there is none. Progress and names are looked up when
// the row is read.
type courseRow struct {
	enrollment *enrollment.Enrollment
	attempt    uuid.UUID
}

// courseRowOrder is the default order of the list.
var courseRowOrder = ordered.Order[*courseRow]{
	Compare: func(a, b *courseRow) int {
		return cmp.Or(
			b.enrollment.CreatedAt.Compare(a.enrollment.CreatedAt),
			ordered.CompareIDs(a.enrollment.Person.UUID, b.enrollment.Person.UUID),
			ordered.CompareIDs(a.enrollment.Course.UUID, b.enrollment.Course.UUID),
			ordered.CompareIDs(a.attempt, b.attempt),
		)
	},
	Sections: []ordered.Section[*courseRow]{
		{Attr: "person.id", ID: func(r *courseRow) uuid.UUID { return r.enrollment.Person.UUID }},
		{Attr: "course.id", ID: func(r *courseRow) uuid.UUID { return r.enrollment.Course.UUID }},
	},
}

// courseRows yields the rows of a learner's enrollment: one for each attempt, or a single row if
// there is none. Other roles have no rows.
func (s *state) courseRows(e *enrollment.Enrollment) iter.Seq[*courseRow] {
	return func(yield func(*courseRow) bool) {
		if e.Role != enrollment.Learner {
			return
		}
		if _, ok := s.attempts.table.latest(e.Person, e.Course); !ok {
			yield(&courseRow{enrollment: e})
			return
		}
		for a := range s.attempts.table.ofPersonInCourse(e.Person, e.Course) {
			if !yield(&courseRow{e, a.ID.UUID}) {
				return
			}
		}
	}
}

// addAnalyticsRows inserts the rows of an enrollment.
func (s *state) addAnalyticsRows(e *enrollment.Enrollment) {
	rows := s.courseAnalytics.writable(s.version)
	for r := range s.courseRows(e) {
		rows.Set(r)
	}
}

// removeAnalyticsRows removes the rows of an enrollment.
func (s *state) removeAnalyticsRows(e *enrollment.Enrollment) {
	rows := s.courseAnalytics.writable(s.version)
	for r := range s.courseRows(e) {
		rows.Remove(r)
	}
}

// replaceAnalyticsRows runs change, which may add or remove attempts of the person at the
// course, and updates the rows of the enrollment.
func (s *state) replaceAnalyticsRows(p person.ID, c course.ID, change func()) {
	e, ok := s.enrolled(p, enrollment.Learner, c)
	if !ok {
		change()
		return
	}
	s.removeAnalyticsRows(e)
	change()
	s.addAnalyticsRows(e)
}
