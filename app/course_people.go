package app

import (
	"context"

	"lyceum/app/admission"
	"lyceum/app/usecase"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/ports"
)

// AddPeople returns a function that gives people a role in a course. If a person does not exist or
// a rule refuses a person, no person gets the role. The function ignores existing roles. It returns
// the error of a check that refuses the partnerships of a person, who gets no other role before the
// commit.
func (u *Enrollments) AddPeople(
	role enrollment.Role, checks ...func([]person.Partnership) error,
) func(context.Context, Actor, course.ID, []person.ID) error {
	return u.changePeople(role, enroll, checks...)
}

// RemovePeople returns a function that removes the given role of people in a course. If a person
// does not exist or a rule refuses a removal, the function removes none. Progress is kept.
func (u *Enrollments) RemovePeople(role enrollment.Role) func(context.Context, Actor, course.ID, []person.ID) error {
	return u.changePeople(role, admission.Unenroll)
}

// changePeople returns a function that locks people and a course, checks the partnerships of each
// person, and calls change.
func (u *Enrollments) changePeople(
	role enrollment.Role, change changeCourseRoles, checks ...func([]person.Partnership) error,
) func(context.Context, Actor, course.ID, []person.ID) error {
	return func(ctx context.Context, a Actor, id course.ID, ids []person.ID) error {
		return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
			courses, err := admission.LockCourses(ctx, u.deps.Policies.Living, tx, []course.ID{id})
			if err != nil {
				return err
			}
			people, err := lockForEnroll(ctx, tx, courses, id, ids)
			if err != nil {
				return err
			}
			if err := checkPartnerships(ctx, tx, ids, checks); err != nil {
				return err
			}
			return change(ctx, u.deps, tx, a, people, courses, admission.RolesIn(id, role, ids))
		})
	}
}

// checkPartnerships calls the checks with the partnerships of each person. The people must be locked.
func checkPartnerships(ctx context.Context, tx ports.Tx, ids []person.ID, checks []func([]person.Partnership) error) error {
	for _, check := range checks {
		for _, id := range ids {
			held, err := tx.Partnerships.ByPerson(ctx, id)
			if err == nil {
				err = check(held)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// lockForEnroll locks the given people for share and returns them. It then locks the course id for
// share and adds it to courses, unless the caller has already locked the course because a rule
// counts learners. If both the course and a person are missing, it reports only the course.
func lockForEnroll(
	ctx context.Context, tx ports.Tx, courses *admission.Courses, id course.ID, ids []person.ID,
) (map[person.ID]person.Person, error) {
	found, err := tx.People.GetManyForShare(ctx, ids)
	if err != nil {
		return nil, err
	}
	if err := courses.AddForShare(ctx, tx, []course.ID{id}); err != nil {
		return nil, err
	}
	if _, ok := courses.ByID[id]; !ok {
		return nil, fault.RecordNotFound()
	}
	return found, usecase.CheckAll(found, ids)
}
