package admission

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/attempt"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/ports"
)

// Unenroll removes roles in courses for a request of the actor a: either roles of one person or
// roles in one course. The people and courses must be locked. If a rule refuses the removal of a
// role, Unenroll removes none and returns faults with the rows of the refused roles. It ignores
// roles that do not exist.
func Unenroll(
	ctx context.Context, d usecase.Deps, tx ports.Tx, a usecase.Actor,
	people map[person.ID]person.Person, courses *Courses, roles []CourseRole,
) error {
	if rules := d.Policies.Living.Unenroll; len(rules) > 0 {
		existing, err := courseRoles(ctx, tx, people, courses.ByID)
		if err != nil {
			return err
		}
		progress, err := latestProgress(ctx, rules, tx, existing)
		if err != nil {
			return err
		}
		by, err := d.Request(ctx, tx.School, a, d.Clock.Now())
		if err != nil {
			return err
		}
		roles, err = checkRemoval(roles, existing, func(r CourseRole) error {
			u := policy.Unenrolling{
				Request: by, Person: people[r.Person].State(), Course: courses.ByID[r.In].State(), Role: r.Role,
				Learners: courses.learners[r.In],
			}
			if r.Role == enrollment.Learner {
				u.Progress = progress[enrollment.PersonCourse{Person: r.Person, Course: r.In}].State().Progress
			}
			err := rules.Check(u)
			if err == nil && r.Role == enrollment.Learner {
				courses.learners.add(r.In, -1)
			}
			return err
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

// latestProgress returns the latest attempt of each learner among roles, if a rule needs the
// progress. It locks the learners' enrollments, so that the progress does not change: a completion
// waits for the locks on the people, but a change of a quiz that another course uses too locks only
// enrollments.
func latestProgress(
	ctx context.Context, rules policy.Rules[policy.Unenrolling], tx ports.Tx, roles []CourseRole,
) (map[enrollment.PersonCourse]attempt.Attempt, error) {
	if !rules.Needs().Has(policy.Progress) {
		return nil, nil
	}
	var pairs []enrollment.PersonCourse
	for _, r := range roles {
		if r.Role == enrollment.Learner {
			pairs = append(pairs, enrollment.PersonCourse{Person: r.Person, Course: r.In})
		}
	}
	if err := tx.Enrollments.LockManyForUpdate(ctx, pairs, enrollment.Learner); err != nil {
		return nil, err
	}
	return tx.Attempts.LatestMany(ctx, pairs)
}
