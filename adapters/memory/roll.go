package memory

import (
	"cmp"
	"iter"
	"strings"

	"github.com/google/uuid"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
)

// roll is the enrollments of a school. They are never changed.
type roll struct {
	byID   dict[uuid.UUID, *enrollment.Enrollment]
	places sorted[*enrollment.Enrollment] // by comparePlaces
	rows   index[*enrollment.Enrollment]
}

func newRoll() roll {
	return roll{
		byID:   newDict[uuid.UUID, *enrollment.Enrollment](compareIDs),
		places: newTree(comparePlaces),
		rows: newIndex(order[*enrollment.Enrollment]{
			compare: func(a, b *enrollment.Enrollment) int {
				return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), compareIDs(a.ID.UUID, b.ID.UUID))
			},
			sections: []section[*enrollment.Enrollment]{
				{"person.id", func(e *enrollment.Enrollment) uuid.UUID { return e.Person.UUID }},
				{"course.id", func(e *enrollment.Enrollment) uuid.UUID { return e.Course.UUID }},
			},
		}),
	}
}

// comparePlaces orders by person, role and course, of which no two enrollments
// have all alike.
func comparePlaces(a, b *enrollment.Enrollment) int {
	return cmp.Or(
		compareIDs(a.Person.UUID, b.Person.UUID),
		strings.Compare(a.Role.String(), b.Role.String()),
		compareIDs(a.Course.UUID, b.Course.UUID),
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
	return l.rows.within("person.id", id.UUID).from(0)
}

func (l roll) add(e *enrollment.Enrollment) {
	l.byID.set(e.ID.UUID, e)
	l.places.Set(e)
	l.rows.set(e)
}

func (l roll) remove(e *enrollment.Enrollment) {
	l.byID.remove(e.ID.UUID)
	l.places.Delete(e)
	l.rows.remove(e)
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
