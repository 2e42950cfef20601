package memory

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"lyceum/adapters/memory/ordered"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
)

var (
	_ ports.EnrollmentReader = enrollmentReader{}
	_ ports.EnrollmentRepo   = enrollments{}
)

type enrollmentReader struct{ view view }

func (r enrollmentReader) List(ctx context.Context, q query.Query) (query.Result[enrollment.Summary], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[enrollment.Summary]{}, err
	}
	l := s.enrollments.table
	return ordered.Listing[*enrollment.Enrollment, enrollment.Summary]{
		Schema: enrollment.Schema,
		Rows:   l.rows,
		Show:   ordered.Derive(enrollment.Schema, s.enrollment),
		ByID:   l.byID.Ordered(),
		Find: map[string]ordered.Finder[*enrollment.Enrollment]{
			"uuid": func(_ query.Attr, v query.Value) (*enrollment.Enrollment, bool) { return l.byID.Get(v.ID) },
		},
	}.List(ctx, q)
}

func (r enrollmentReader) Get(ctx context.Context, id enrollment.ID) (enrollment.Summary, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return enrollment.Summary{}, err
	}
	e, ok := s.enrollments.table.byID.Get(id.UUID)
	if !ok {
		return enrollment.Summary{}, fault.Missing()
	}
	return s.enrollment(e), nil
}

func (r enrollmentReader) OfPerson(ctx context.Context, id person.ID) ([]enrollment.Enrollment, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return nil, err
	}
	var es []enrollment.Enrollment
	for e := range s.enrollments.table.of(id) {
		es = append(es, *e)
	}
	slices.SortFunc(es, func(a, b enrollment.Enrollment) int { return ordered.CompareIDs(a.ID.UUID, b.ID.UUID) })
	return es, nil
}

type enrollments struct {
	enrollmentReader
	tx *tx
}

func (r enrollments) Find(
	ctx context.Context, p person.ID, c course.ID, role enrollment.Role,
) (enrollment.Enrollment, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return enrollment.Enrollment{}, err
	}
	e, ok := s.enrollments.table.place(p, role, c)
	if !ok {
		return enrollment.Enrollment{}, fault.Missing()
	}
	return *e, nil
}

func (r enrollments) LockMany(ctx context.Context, _ []enrollment.Pair, _ enrollment.Role) error {
	_, err := r.tx.current(ctx) // there is one writer at a time
	return err
}

func (r enrollments) FindMany(
	ctx context.Context, pairs []enrollment.Pair, role enrollment.Role,
) (map[enrollment.Pair]enrollment.Enrollment, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	found := make(map[enrollment.Pair]enrollment.Enrollment, len(pairs))
	for _, pair := range pairs {
		if e, ok := s.enrollments.table.place(pair.Person, role, pair.Course); ok {
			found[pair] = *e
		}
	}
	return found, nil
}

func (r enrollments) AddIfAbsent(ctx context.Context, es []enrollment.Enrollment) (int, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	for _, e := range es {
		if !s.people.table.Has(e.Person.UUID) {
			return 0, fmt.Errorf("memory: the enrollment %s names the unknown person %s", e.ID, e.Person)
		}
		if !s.courses.table.Has(e.Course.UUID) {
			return 0, fmt.Errorf("memory: the enrollment %s names the unknown course %s", e.ID, e.Course)
		}
	}
	fresh, ids := ordered.NewTree(comparePlaces), map[enrollment.ID]bool{}
	for _, e := range es {
		_, kept := s.enrollments.table.places.Get(&e)
		if _, alike := fresh.Get(&e); kept || alike {
			continue
		}
		if _, ok := s.enrollments.table.byID.Get(e.ID.UUID); ok || ids[e.ID] {
			return 0, fmt.Errorf("memory: enrollments: %w: %s", ports.ErrKnown, e.ID)
		}
		ids[e.ID] = true
		fresh.Set(&e)
	}
	return enrol(s, fresh.Items())
}

func (r enrollments) Remove(
	ctx context.Context, p person.ID, role enrollment.Role, courses []course.ID,
) (int, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	gone := map[*enrollment.Enrollment]struct{}{}
	for _, c := range courses {
		if e, ok := s.enrollments.table.place(p, role, c); ok {
			gone[e] = struct{}{}
		}
	}
	return unenrol(s, slices.Collect(maps.Keys(gone)))
}

func (r enrollments) RemoveFrom(
	ctx context.Context, c course.ID, role enrollment.Role, people []person.ID,
) (int, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	gone := map[*enrollment.Enrollment]struct{}{}
	for _, p := range people {
		if e, ok := s.enrollments.table.place(p, role, c); ok {
			gone[e] = struct{}{}
		}
	}
	return unenrol(s, slices.Collect(maps.Keys(gone)))
}

func (r enrollments) removeOfCourse(ctx context.Context, c course.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	_, err = unenrol(s, slices.Collect(s.enrollments.table.rows.Within("course.id", c.UUID).From(0)))
	return err
}

func (r enrollments) RemoveOfPerson(ctx context.Context, p person.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	_, err = unenrol(s, slices.Collect(s.enrollments.table.of(p)))
	return err
}
