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

// courseRow is a row of the course analytics: an enrollment as learner and one
// of the person's attempts in the course, or the zero UUID while there is none.
// The figures and names are looked up when the row is shown.
type courseRow struct {
	of      *enrollment.Enrollment
	attempt uuid.UUID
}

var courseRowOrder = ordered.Order[*courseRow]{
	Compare: func(a, b *courseRow) int {
		return cmp.Or(
			b.of.CreatedAt.Compare(a.of.CreatedAt),
			ordered.CompareIDs(a.of.Person.UUID, b.of.Person.UUID),
			ordered.CompareIDs(a.of.Course.UUID, b.of.Course.UUID),
			ordered.CompareIDs(a.attempt, b.attempt),
		)
	},
	Sections: []ordered.Section[*courseRow]{
		{Attr: "person.id", ID: func(r *courseRow) uuid.UUID { return r.of.Person.UUID }},
		{Attr: "course.id", ID: func(r *courseRow) uuid.UUID { return r.of.Course.UUID }},
	},
}

// courseRows yields the rows that follow from an enrollment and the attempts
// that there are.
func (s *state) courseRows(e *enrollment.Enrollment) iter.Seq[*courseRow] {
	return func(yield func(*courseRow) bool) {
		if e.Role != enrollment.Learner {
			return
		}
		if _, ok := s.attempts.table.latest(e.Person, e.Course); !ok {
			yield(&courseRow{of: e})
			return
		}
		for a := range s.attempts.table.in(e.Person, e.Course) {
			if !yield(&courseRow{e, a.ID.UUID}) {
				return
			}
		}
	}
}

// list adds the rows of a new enrollment.
func (s *state) list(e *enrollment.Enrollment) {
	rows := s.courseAnalytics.own(s.version)
	for r := range s.courseRows(e) {
		rows.Set(r)
	}
}

// unlist takes away the rows of an enrollment.
func (s *state) unlist(e *enrollment.Enrollment) {
	rows := s.courseAnalytics.own(s.version)
	for r := range s.courseRows(e) {
		rows.Remove(r)
	}
}

// relist makes a change to the attempts of a person in a course, and the rows
// follow.
func (s *state) relist(p person.ID, c course.ID, change func()) {
	e, ok := s.enrollments.table.place(p, enrollment.Learner, c)
	if !ok {
		change()
		return
	}
	s.unlist(e)
	change()
	s.list(e)
}
