package admission

import (
	"context"

	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/ports"
)

// Unenroll removes roles in courses, either all of one person or all in one course. The people and
// courses are locked. If a rule refuses a role, none is removed and the faults have the rows of
// their roles. Roles that do not exist are ignored.
func Unenroll(
	ctx context.Context, rules policy.Set, tx ports.Tx,
	people map[person.ID]person.Person, courses map[course.ID]course.Course, roles []CourseRole,
) error {
	if len(rules.Unenroll) > 0 {
		existing, err := courseRoles(ctx, tx, people, courses)
		if err != nil {
			return err
		}
		err = checkRemoval(roles, existing, func(r CourseRole) error {
			return rules.Unenroll.Check(policy.Unenrolling{
				Person: people[r.Person].State(), Course: courses[r.In].State(), Role: r.Role,
			})
		})
		if err != nil {
			return err
		}
	}
	for _, role := range enrollment.Roles() {
		err := removeRoles(ctx, roles, role, tx.Enrollments.RemoveFromCourses, tx.Enrollments.RemovePeople)
		if err != nil {
			return err
		}
	}
	return nil
}
