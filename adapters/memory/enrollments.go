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

func newEnrollments() tables.Roles[enrollment.Enrollment] {
	return tables.NewRoles("enrollments", tables.NewRecords(
		func(e *enrollment.Enrollment) uuid.UUID { return e.ID.UUID },
		func(e *enrollment.Enrollment) time.Time { return e.CreatedAt },
		[]ordered.Section[*enrollment.Enrollment]{
			{Attr: "person.id", ID: func(e *enrollment.Enrollment) uuid.UUID { return e.Person.UUID }},
			{Attr: "course.id", ID: func(e *enrollment.Enrollment) uuid.UUID { return e.Course.UUID }},
		}...,
	), func(e *enrollment.Enrollment) tables.Role {
		return tables.Role{Person: e.Person.UUID, Name: e.Role.String(), Target: e.Course.UUID}
	})
}

type enrollmentReader struct {
	recordReader[enrollment.ID, *enrollment.Enrollment, enrollment.Summary]
}

func enrollmentsIn(v view) enrollmentReader {
	return enrollmentReader{recordReader[enrollment.ID, *enrollment.Enrollment, enrollment.Summary]{
		v, func(s *state) ordered.Records[*enrollment.Enrollment] { return s.enrollments.table.Records },
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
		es = append(es, *e)
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
			found[pair] = *e
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
	added, err := s.enrollments.writable(s.version).Add(es)
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
	return r.remove(ctx, tables.Mapped(courses, func(c course.ID) *enrollment.Enrollment {
		return &enrollment.Enrollment{Person: p, Role: role, Course: c}
	}))
}

// RemovePeople implements ports.EnrollmentRepo.
func (r enrollments) RemovePeople(
	ctx context.Context, c course.ID, role enrollment.Role, people []person.ID,
) (int, error) {
	return r.remove(ctx, tables.Mapped(people, func(p person.ID) *enrollment.Enrollment {
		return &enrollment.Enrollment{Person: p, Role: role, Course: c}
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
func (r enrollments) remove(ctx context.Context, wanted []*enrollment.Enrollment) (int, error) {
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
func (s *state) countLearners(es []*enrollment.Enrollment, n int64) error {
	if err := coursesOfPerson.add(s, es, n); err != nil {
		return err
	}
	return learnersOfCourse.add(s, es, n)
}

// enrolled returns the enrollment of a person in a course with a role, and reports whether it
// exists.
func (s *state) enrolled(p person.ID, role enrollment.Role, c course.ID) (*enrollment.Enrollment, bool) {
	return s.enrollments.table.ByRole.Get(&enrollment.Enrollment{Person: p, Role: role, Course: c})
}

// enrollmentsOf returns the enrollments of a person.
func (s *state) enrollmentsOf(id person.ID) ordered.Span[*enrollment.Enrollment] {
	return s.enrollments.table.Rows.Within("person.id", id.UUID)
}

// enrollment returns the summary of e. A learner's summary contains the progress of the latest
// attempt, or 0 if there is no attempt.
func (s *state) enrollment(e *enrollment.Enrollment) enrollment.Summary {
	if e.Role != enrollment.Learner {
		return enrollment.Summary{Enrollment: *e}
	}
	var progress decimal.Percent
	if last, ok := s.attempts.table.Latest(e.Person, e.Course); ok {
		progress = last.Progress
	}
	return enrollment.Summary{Enrollment: *e, Progress: &progress}
}
