package tables

import (
	"cmp"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
)

// CourseRow is a row of the course analytics: a learner's enrollment and one of their attempts
// at the course. The attempt is zero if there is none. Progress and names are looked up when
// the row is read.
type CourseRow struct {
	Enrollment *Enrollment
	Attempt    uuid.UUID
}

// CourseRowOrder is the default order of the list.
var CourseRowOrder = ordered.Order[*CourseRow]{
	Compare: func(a, b *CourseRow) int {
		return cmp.Or(
			cmp.Compare(b.Enrollment.createdAt, a.Enrollment.createdAt),
			ordered.CompareIDs(a.Enrollment.Person.UUID, b.Enrollment.Person.UUID),
			ordered.CompareIDs(a.Enrollment.Course.UUID, b.Enrollment.Course.UUID),
			ordered.CompareIDs(a.Attempt, b.Attempt),
		)
	},
	Sections: []ordered.Section[*CourseRow]{
		{Attr: "person.id", ID: func(r *CourseRow) uuid.UUID { return r.Enrollment.Person.UUID }},
		{Attr: "course.id", ID: func(r *CourseRow) uuid.UUID { return r.Enrollment.Course.UUID }},
	},
}
