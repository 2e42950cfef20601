package memory

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/google/uuid"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/ports"
)

var (
	_ ports.EnrollmentReader = enrollmentReader{}
	_ ports.EnrollmentRepo   = enrollments{}
)

// compareEnrollments orders by person, role and course, of which no two
// enrollments have all alike.
func compareEnrollments(a, b *enrollment.Enrollment) int {
	return cmp.Or(
		compareIDs(a.Person.UUID, b.Person.UUID),
		strings.Compare(a.Role.String(), b.Role.String()),
		compareIDs(a.Course.UUID, b.Course.UUID),
	)
}

// enrollmentsOf yields the enrollments of a person.
func enrollmentsOf(s *state, id person.ID) iter.Seq[*enrollment.Enrollment] {
	return func(yield func(*enrollment.Enrollment) bool) {
		start := &enrollment.Enrollment{Person: id} // no role and no course come before it
		s.enrollments.table.Ascend(start, func(e *enrollment.Enrollment) bool {
			return e.Person == id && yield(e)
		})
	}
}

type enrollmentReader struct{ view view }

func (r enrollmentReader) OfPerson(ctx context.Context, id person.ID) ([]enrollment.Enrollment, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return nil, err
	}
	var es []enrollment.Enrollment
	for e := range enrollmentsOf(s, id) {
		es = append(es, *e)
	}
	slices.SortFunc(es, func(a, b enrollment.Enrollment) int { return compareIDs(a.ID.UUID, b.ID.UUID) })
	return es, nil
}

type enrollments struct {
	enrollmentReader
	tx *tx
}

func (r enrollments) AddIfAbsent(ctx context.Context, es []enrollment.Enrollment) (int, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	for _, e := range es {
		if !s.people.table.has(e.Person.UUID) {
			return 0, fmt.Errorf("memory: the enrollment %s names the unknown person %s", e.ID, e.Person)
		}
		if !s.courses.table.has(e.Course.UUID) {
			return 0, fmt.Errorf("memory: the enrollment %s names the unknown course %s", e.ID, e.Course)
		}
	}
	tree := s.enrollments.own(s.version)
	var added []*enrollment.Enrollment
	for _, e := range es {
		if _, ok := tree.Get(&e); !ok {
			tree.Set(&e)
			added = append(added, &e)
		}
	}
	return len(added), countLearners(s, added, 1)
}

func (r enrollments) Remove(
	ctx context.Context, p person.ID, role enrollment.Role, courses []course.ID,
) (int, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	tree := s.enrollments.own(s.version)
	var removed []*enrollment.Enrollment
	for _, c := range courses {
		if e, ok := tree.Delete(&enrollment.Enrollment{Person: p, Role: role, Course: c}); ok {
			removed = append(removed, e)
		}
	}
	return len(removed), countLearners(s, removed, -1)
}

func (r enrollments) RemoveOfPerson(ctx context.Context, p person.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	removed := slices.Collect(enrollmentsOf(s, p))
	tree := s.enrollments.own(s.version)
	for _, e := range removed {
		tree.Delete(e)
	}
	return countLearners(s, removed, -1)
}

// countLearners adds n for each of es, as learner, to the counts of its person
// and its course.
func countLearners(s *state, es []*enrollment.Enrollment, n int64) error {
	ofPerson, ofCourse := map[uuid.UUID]int64{}, map[uuid.UUID]int64{}
	for _, e := range es {
		if e.Role == enrollment.Learner {
			ofPerson[e.Person.UUID] += n
			ofCourse[e.Course.UUID] += n
		}
	}
	err := s.people.own(s.version).add(ofPerson, func(p *person.Summary, n int64) { p.CourseCount += n })
	if err != nil {
		return err
	}
	return s.courses.own(s.version).add(ofCourse, func(c *course.Summary, n int64) { c.EnrollmentsCount += n })
}
