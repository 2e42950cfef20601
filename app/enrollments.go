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

// Enrollments lists, adds and removes enrollments.
type Enrollments struct{ deps usecase.Deps }

// CourseRole is a role in a course.
type CourseRole struct {
	Course course.ID
	Role   enrollment.Role
}

// ListOf returns a page of the enrollments in a course, of both roles. ref is the course's ID or
// permalink. A learner of the course sees only their own enrollments.
func (u *Enrollments) ListOf(
	ctx context.Context, a Actor, ref string, q query.Query,
) (query.Result[enrollment.Summary], error) {
	a, id, err := u.deps.Course(ctx, a, ref)
	if err != nil {
		return query.Result[enrollment.Summary]{}, err
	}
	a, q = a.Own(q, enrollment.Schema.Attr("person.id"))
	r := u.deps.Read(a)
	return listOfCourse(ctx, r.Courses, id.String(), r.Enrollments.List, enrollment.Schema.Attr("course.id"), q)
}

// List returns a page of the enrollments in all courses. A learner sees only their own.
func (u *Enrollments) List(ctx context.Context, a Actor, q query.Query) (query.Result[enrollment.Summary], error) {
	a, q = a.Own(q, enrollment.Schema.Attr("person.id"))
	return u.deps.Read(a).Enrollments.List(ctx, q)
}

// Get returns the enrollment with the given id, or NotFound if it does not exist.
func (u *Enrollments) Get(ctx context.Context, a Actor, id enrollment.ID) (enrollment.Summary, error) {
	found, err := u.deps.Read(a.Permit()).Enrollments.Get(ctx, id)
	if err == nil {
		err = a.OnRecordOf(found.Person)
	}
	return found, err
}

// Enroll gives a person roles in courses. If a course does not exist or a rule refuses a role, the
// person gets no role. Enroll ignores existing roles.
func (u *Enrollments) Enroll(ctx context.Context, a Actor, id person.ID, roles []CourseRole) error {
	return u.changeRoles(ctx, a, id, roles, enroll)
}

// Unenroll removes roles of a person in courses. If a course does not exist or a rule refuses a
// removal, Unenroll removes none. It ignores roles that the person does not have.
func (u *Enrollments) Unenroll(ctx context.Context, a Actor, id person.ID, roles []CourseRole) error {
	return u.changeRoles(ctx, a, id, roles, admission.Unenroll)
}

// changeCourseRoles gives or removes roles in courses. The people and courses must be locked.
type changeCourseRoles func(
	ctx context.Context, d usecase.Deps, tx ports.Tx, a Actor,
	people map[person.ID]person.Person, courses *admission.Courses, roles []admission.CourseRole,
) error

func enroll(
	ctx context.Context, d usecase.Deps, tx ports.Tx, a Actor,
	people map[person.ID]person.Person, courses *admission.Courses, roles []admission.CourseRole,
) error {
	e, err := admission.NewEnrolling(ctx, d, tx, a, courses, people)
	if err != nil {
		return err
	}
	if err := e.CheckAllowance(len(roles)); err != nil {
		return err
	}
	if err := admission.AtRows(e.Row(roles)); err != nil {
		return err
	}
	return e.Save(ctx, tx)
}

// changeRoles locks a person and the courses of roles, and calls change.
func (u *Enrollments) changeRoles(ctx context.Context, a Actor, id person.ID, roles []CourseRole, change changeCourseRoles) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		ids, named := courseRoles(id, roles)
		courses, err := admission.LockCourses(ctx, u.deps.Policies.Living, tx, ids)
		if err != nil {
			return err
		}
		p, err := tx.People.GetForUpdate(ctx, id)
		if err != nil {
			return err
		}
		if err := courses.AddForShare(ctx, tx, ids); err != nil {
			return err
		}
		if err := usecase.CheckAll(courses.ByID, ids); err != nil {
			return err
		}
		return change(ctx, u.deps, tx, a, map[person.ID]person.Person{id: p}, courses, named)
	})
}

// courseRoles returns the course IDs of roles, and roles converted to roles of the person p.
func courseRoles(p person.ID, roles []CourseRole) ([]course.ID, []admission.CourseRole) {
	ids, named := make([]course.ID, len(roles)), make([]admission.CourseRole, len(roles))
	for i, r := range roles {
		ids[i], named[i] = r.Course, admission.CourseRole{Person: p, In: r.Course, Role: r.Role}
	}
	return ids, named
}
