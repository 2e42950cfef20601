package memory

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/adapters/memory/tables"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/ports"
)

var (
	_ ports.EnrollmentReader = enrollmentReader{}
	_ ports.EnrollmentRepo   = enrollments{}
)

func newEnrollments() tables.Roles[tables.Enrollment] {
	return tables.NewRoles("enrollments", tables.NewRecords(
		func(e *tables.Enrollment) uuid.UUID { return e.ID.UUID },
		func(e *tables.Enrollment) time.Time { return e.CreatedAt() },
		[]ordered.Section[*tables.Enrollment]{
			{Attr: "person.id", ID: func(e *tables.Enrollment) uuid.UUID { return e.Person.UUID }},
			{Attr: "course.id", ID: func(e *tables.Enrollment) uuid.UUID { return e.Course.UUID }},
		}...,
	), func(e *tables.Enrollment) tables.Role {
		return tables.Role{Person: e.Person.UUID, Name: e.Role().String(), Target: e.Course.UUID}
	})
}

type enrollmentReader struct {
	recordReader[enrollment.ID, *tables.Enrollment, enrollment.Summary]
}

func enrollmentsIn(v view) enrollmentReader {
	return enrollmentReader{recordReader[enrollment.ID, *tables.Enrollment, enrollment.Summary]{
		v, func(s *state) ordered.Records[*tables.Enrollment] { return s.enrollments.table.Records },
		enrollment.Schema, (*state).enrollment,
	}}
}

// ByPerson implements ports.EnrollmentReader.
func (r enrollmentReader) ByPerson(ctx context.Context, id person.ID) ([]enrollment.Enrollment, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return nil, err
	}
	var es []enrollment.Enrollment
	for e := range s.enrollmentsOf(id).From(0) {
		es = append(es, e.State())
	}
	slices.SortFunc(es, func(a, b enrollment.Enrollment) int { return ordered.CompareIDs(a.ID.UUID, b.ID.UUID) })
	return es, nil
}

type enrollments struct {
	enrollmentReader
	tx *tx
}

// LockManyForUpdate implements ports.EnrollmentRepo.
func (r enrollments) LockManyForUpdate(ctx context.Context, _ []enrollment.PersonCourse, _ enrollment.Role) error {
	_, err := r.tx.current(ctx) // one transaction of a school runs at a time
	return err
}

// GetManyForUpdate implements ports.EnrollmentRepo.
func (r enrollments) GetManyForUpdate(
	ctx context.Context, pairs []enrollment.PersonCourse, role enrollment.Role,
) (map[enrollment.PersonCourse]enrollment.Enrollment, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	found := make(map[enrollment.PersonCourse]enrollment.Enrollment, len(pairs))
	for _, pair := range pairs {
		if e, ok := s.enrolled(pair.Person, role, pair.Course); ok {
			found[pair] = e.State()
		}
	}
	return found, nil
}

// AddIfAbsent implements ports.EnrollmentRepo.
func (r enrollments) AddIfAbsent(ctx context.Context, es []enrollment.Enrollment) (int, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	for _, e := range es {
		if !s.people.table.Has(e.Person.UUID) {
			return 0, fmt.Errorf("memory: the enrollment %s references the unknown person %s", e.ID, e.Person)
		}
		if !s.courses.table.Has(e.Course.UUID) {
			return 0, fmt.Errorf("memory: the enrollment %s references the unknown course %s", e.ID, e.Course)
		}
	}
	added, err := s.enrollments.writable(s.version).Add(tables.Mapped(es, tables.NewEnrollment))
	if err != nil {
		return 0, err
	}
	for _, e := range added {
		s.addAnalyticsRows(e)
	}
	return len(added), s.countLearners(added, 1)
}

// RemoveFromCourses implements ports.EnrollmentRepo.
func (r enrollments) RemoveFromCourses(
	ctx context.Context, p person.ID, role enrollment.Role, courses []course.ID,
) (int, error) {
	return r.remove(ctx, tables.Mapped(courses, func(c course.ID) *tables.Enrollment {
		return tables.NewEnrollment(enrollment.Enrollment{Person: p, Role: role, Course: c})
	}))
}

// RemovePeople implements ports.EnrollmentRepo.
func (r enrollments) RemovePeople(
	ctx context.Context, c course.ID, role enrollment.Role, people []person.ID,
) (int, error) {
	return r.remove(ctx, tables.Mapped(people, func(p person.ID) *tables.Enrollment {
		return tables.NewEnrollment(enrollment.Enrollment{Person: p, Role: role, Course: c})
	}))
}

func (r enrollments) removeOfCourse(ctx context.Context, c course.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	_, err = r.remove(ctx, slices.Collect(s.enrollments.table.Rows.Within("course.id", c.UUID).From(0)))
	return err
}

// DeleteByPerson implements ports.EnrollmentRepo.
func (r enrollments) DeleteByPerson(ctx context.Context, p person.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	_, err = r.remove(ctx, slices.Collect(s.enrollmentsOf(p).From(0)))
	return err
}

// remove removes the enrollments that match a person, role and course in wanted, and returns how
// many it removed.
func (r enrollments) remove(ctx context.Context, wanted []*tables.Enrollment) (int, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	removed := s.enrollments.writable(s.version).Withdraw(wanted)
	for _, e := range removed {
		s.removeAnalyticsRows(e)
	}
	return len(removed), s.countLearners(removed, -1)
}

// countLearners adds n, for each enrollment of a learner in es, to the counts of the person and the
// course.
func (s *state) countLearners(es []*tables.Enrollment, n int64) error {
	if err := coursesOfPerson.add(s, es, n); err != nil {
		return err
	}
	return learnersOfCourse.add(s, es, n)
}

// enrolled returns the enrollment of a person in a course with a role, and reports whether it
// exists.
func (s *state) enrolled(p person.ID, role enrollment.Role, c course.ID) (*tables.Enrollment, bool) {
	return s.enrollments.table.ByRole.Get(tables.NewEnrollment(enrollment.Enrollment{Person: p, Role: role, Course: c}))
}

// enrollmentsOf returns the enrollments of a person.
func (s *state) enrollmentsOf(id person.ID) ordered.Span[*tables.Enrollment] {
	return s.enrollments.table.Rows.Within("person.id", id.UUID)
}

// enrollment returns the summary of e. A learner's summary contains the progress of the latest
// attempt, or 0 if there is no attempt.
func (s *state) enrollment(e *tables.Enrollment) enrollment.Summary {
	if !e.Learner {
		return enrollment.Summary{Enrollment: e.State()}
	}
	var progress decimal.Percent
	if last, ok := s.attempts.table.Latest(e.Person, e.Course); ok {
		progress = last.Progress
	}
	return enrollment.Summary{Enrollment: e.State(), Progress: &progress}
}
