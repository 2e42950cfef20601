package app

import (
	"context"
	"maps"
	"slices"

	"lyceum/app/admission"
	"lyceum/app/usecase"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/ports"
)

// AddCourses adds courses to a group and enrolls its members in them. If a course does not exist or
// a rule refuses an enrollment, nothing is added. AddCourses ignores courses that the group already
// has: a person who was unenrolled from one of them stays unenrolled. It returns Invalid if it
// would add more than enrollment.MaxAdded enrollments.
func (u *Groups) AddCourses(ctx context.Context, a Actor, id group.ID, ids []course.ID) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.Groups.GetForUpdate(ctx, id); err != nil {
			return err
		}
		courses, err := admission.LockCourses(ctx, u.deps.Policies.Living, tx, ids)
		if err != nil {
			return err
		}
		held, err := tx.Groups.CourseIDs(ctx, []group.ID{id})
		if err != nil {
			return err
		}
		added, rows := admission.NewCourses(held[id], ids)
		// Lock people before AddForShare locks courses, as every operation does, to avoid
		// deadlocks.
		people, err := members(ctx, tx, id, rows)
		if err != nil {
			return err
		}
		if err := courses.AddForShare(ctx, tx, ids); err != nil {
			return err
		}
		if err := usecase.CheckAll(courses.ByID, ids); err != nil {
			return err
		}
		e, err := admission.NewEnrolling(ctx, u.deps, tx, a, courses, people)
		if err != nil {
			return err
		}
		if err := e.CheckAllowance(len(added) * len(people)); err != nil {
			return err
		}
		roles := make([]admission.CourseRole, 0, len(added)*len(people))
		memberIDs := slices.Collect(maps.Keys(people))
		for _, c := range added {
			roles = append(roles, admission.RolesIn(c, enrollment.Learner, memberIDs)...)
		}
		refused := e.Row(roles)
		for i, err := range refused {
			refused[i] = fault.AtRow(err, rows[i/len(people)])
		}
		if err := fault.Join(refused...); err != nil {
			return err
		}
		if _, err := tx.Groups.AddCourses(ctx, id, ids); err != nil {
			return err
		}
		return e.Save(ctx, tx)
	})
}

// members locks the members of a group for share and returns them. rows are the indexes of the
// courses that the request adds; every member will be enrolled in each of them. If that exceeds
// enrollment.MaxAdded enrollments, members returns Invalid at the row at which it does.
func members(ctx context.Context, tx ports.Tx, id group.ID, rows []int) (map[person.ID]person.Person, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	ids, err := tx.Memberships.MemberIDs(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := enrollment.CheckAdded(len(rows) * len(ids)); err != nil {
		return nil, fault.AtRow(err, rows[enrollment.MaxAdded/len(ids)])
	}
	return tx.People.GetManyForShare(ctx, ids)
}

// RemoveCourses removes courses from a group. If a course does not exist, it removes none. Members
// stay enrolled.
func (u *Groups) RemoveCourses(ctx context.Context, a Actor, id group.ID, ids []course.ID) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.Groups.GetForUpdate(ctx, id); err != nil {
			return err
		}
		if _, err := usecase.GetAllForShare(ctx, tx.Courses, ids); err != nil {
			return err
		}
		_, err := tx.Groups.RemoveCourses(ctx, id, ids)
		return err
	})
}
