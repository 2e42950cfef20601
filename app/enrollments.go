package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
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
	id, err := courseID(ctx, r.Courses, ref)
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
	now := u.deps.Clock.Now()
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		p, err := tx.People.Find(ctx, id)
		if err != nil {
			return err
		}
		courses, err := usecase.LoadCourses(ctx, tx, coursesIn(places))
		if err != nil {
			return err
		}
		rows := make([]enrollment.Enrollment, len(places))
		refused := make([]error, len(places))
		for i, place := range places {
			row, err := enrollment.Enroll(enrollment.ID{UUID: u.deps.IDs.New()}, p, courses[place.Course], place.Role, now)
			rows[i], refused[i] = row, fault.AtRow(err, i)
		}
		if err := fault.Join(refused...); err != nil {
			return err
		}
		_, err = tx.Enrollments.AddIfAbsent(ctx, rows)
		return err
	})
}

// Unenroll takes places in courses from a person: all of them or, when a course
// is unknown, none. Places that the person has not are passed over.
func (u *Enrollments) Unenroll(ctx context.Context, a Actor, id person.ID, places []Place) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.People.Find(ctx, id); err != nil {
			return err
		}
		if _, err := usecase.LoadCourses(ctx, tx, coursesIn(places)); err != nil {
			return err
		}
		for _, role := range enrollment.Roles() {
			var courses []course.ID
			for _, place := range places {
				if place.Role == role {
					courses = append(courses, place.Course)
				}
			}
			if len(courses) == 0 {
				continue
			}
			if _, err := tx.Enrollments.Remove(ctx, id, role, courses); err != nil {
				return err
			}
		}
		return nil
	})
}

func coursesIn(places []Place) []course.ID {
	ids := make([]course.ID, len(places))
	for i, place := range places {
		ids[i] = place.Course
	}
	return ids
}
