package app

import (
	"context"

	"lyceum/app/admission"
	"lyceum/app/usecase"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
)

// Enrollments is how people get into courses and out of them.
type Enrollments struct{ deps usecase.Deps }

// Place is a role in a course.
type Place struct {
	Course course.ID
	Role   enrollment.Role
}

// ListOf returns a page of the enrollments, of both roles, in the course that ref
// names: its UUID or its permalink.
func (u *Enrollments) ListOf(
	ctx context.Context, a Actor, ref string, q query.Query,
) (query.Result[enrollment.Summary], error) {
	r := u.deps.Store.Read(a.School())
	id, err := usecase.CourseID(ctx, r.Courses, ref)
	if err != nil {
		return query.Result[enrollment.Summary]{}, err
	}
	if _, err := r.Courses.Get(ctx, id); err != nil {
		return query.Result[enrollment.Summary]{}, err
	}
	return r.Enrollments.List(ctx, q.And(query.Cond{
		Attr: enrollment.Schema.Attr("course.id"), Op: query.Eq, Values: []query.Value{{ID: id.UUID}},
	}))
}

// Get returns one enrollment.
func (u *Enrollments) Get(ctx context.Context, a Actor, id enrollment.ID) (enrollment.Summary, error) {
	return u.deps.Store.Read(a.School()).Enrollments.Get(ctx, id)
}

// Enroll gives a person places in courses: all of them or, when a course is
// unknown or a rule refuses one, none. Places that the person has already stay
// as they are.
func (u *Enrollments) Enroll(ctx context.Context, a Actor, id person.ID, places []Place) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		ids := coursesIn(places)
		courses, err := admission.LockCourses(ctx, u.deps.Policies.Living, tx, ids)
		if err != nil {
			return err
		}
		p, err := tx.People.Find(ctx, id)
		if err != nil {
			return err
		}
		if err := courses.Load(ctx, tx, ids); err != nil {
			return err
		}
		if _, err := usecase.Complete(courses.ByID, nil, ids); err != nil {
			return err
		}
		return enroll(ctx, u.deps, tx, courses, map[person.ID]person.Person{id: p}, placesIn(id, places))
	})
}

// enroll gives people places in courses, all of them or, when a rule refuses one, none.
func enroll(
	ctx context.Context, d usecase.Deps, tx ports.Tx, courses *admission.Courses, people map[person.ID]person.Person,
	places []admission.Place,
) error {
	e, err := admission.NewEnrolling(ctx, d, tx, courses, people)
	if err != nil {
		return err
	}
	if err := admission.AtRows(e.Row(places)); err != nil {
		return err
	}
	return e.Save(ctx, tx)
}

// Unenroll takes places in courses from a person: all of them or, when a course
// is unknown or a rule refuses one, none. Places that the person does not have are
// ignored.
func (u *Enrollments) Unenroll(ctx context.Context, a Actor, id person.ID, places []Place) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		p, err := tx.People.Find(ctx, id)
		if err != nil {
			return err
		}
		courses, err := usecase.LoadCourses(ctx, tx, coursesIn(places))
		if err != nil {
			return err
		}
		return admission.Unenroll(ctx, u.deps.Policies.Living, tx,
			map[person.ID]person.Person{id: p}, courses, placesIn(id, places))
	})
}

func coursesIn(places []Place) []course.ID {
	ids := make([]course.ID, len(places))
	for i, place := range places {
		ids[i] = place.Course
	}
	return ids
}

// placesIn returns the places of a person in courses.
func placesIn(id person.ID, places []Place) []admission.Place {
	all := make([]admission.Place, len(places))
	for i, place := range places {
		all[i] = admission.Place{Person: id, Course: place.Course, Role: place.Role}
	}
	return all
}
