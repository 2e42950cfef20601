package memory

import (
	"cmp"
	"iter"
	"strings"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
)

// roll is the enrollments of a school. They are never changed.
type roll struct {
	byID   ordered.Dict[uuid.UUID, *enrollment.Enrollment]
	places ordered.Tree[*enrollment.Enrollment] // by comparePlaces
	rows   ordered.Index[*enrollment.Enrollment]
}

func newRoll() roll {
	return roll{
		byID:   ordered.NewDict[uuid.UUID, *enrollment.Enrollment](ordered.CompareIDs),
		places: ordered.NewTree(comparePlaces),
		rows: ordered.NewIndex(ordered.Order[*enrollment.Enrollment]{
			Compare: func(a, b *enrollment.Enrollment) int {
				return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), ordered.CompareIDs(a.ID.UUID, b.ID.UUID))
			},
			Sections: []ordered.Section[*enrollment.Enrollment]{
				{Attr: "person.id", ID: func(e *enrollment.Enrollment) uuid.UUID { return e.Person.UUID }},
				{Attr: "course.id", ID: func(e *enrollment.Enrollment) uuid.UUID { return e.Course.UUID }},
			},
		}),
	}
}

// comparePlaces orders by person, role and course, of which no two enrollments
// have all alike.
func comparePlaces(a, b *enrollment.Enrollment) int {
	return cmp.Or(
		ordered.CompareIDs(a.Person.UUID, b.Person.UUID),
		strings.Compare(a.Role.String(), b.Role.String()),
		ordered.CompareIDs(a.Course.UUID, b.Course.UUID),
	)
}

// Copy returns a roll that changes on its own.
func (l roll) Copy() roll { return roll{l.byID.Copy(), l.places.Copy(), l.rows.Copy()} }

// place returns the enrollment of a person as role in a course.
func (l roll) place(p person.ID, role enrollment.Role, c course.ID) (*enrollment.Enrollment, bool) {
	return l.places.Get(&enrollment.Enrollment{Person: p, Role: role, Course: c})
}

// of yields the enrollments of a person.
func (l roll) of(id person.ID) iter.Seq[*enrollment.Enrollment] {
	return l.rows.Within("person.id", id.UUID).From(0)
}

func (l roll) add(e *enrollment.Enrollment) {
	l.byID.Set(e.ID.UUID, e)
	l.places.Set(e)
	l.rows.Set(e)
}

func (l roll) remove(e *enrollment.Enrollment) {
	l.byID.Remove(e.ID.UUID)
	l.places.Delete(e)
	l.rows.Remove(e)
}

// enrollment returns e as documents show it.
func (s *state) enrollment(e *enrollment.Enrollment) enrollment.Summary {
	if e.Role != enrollment.Learner {
		return enrollment.Summary{Enrollment: *e}
	}
	var progress decimal.Percent
	if last, ok := s.attempts.table.latest(e.Person, e.Course); ok {
		progress = last.Progress
	}
	return enrollment.Summary{Enrollment: *e, Progress: &progress}
}
