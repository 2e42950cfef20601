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

// Unenroll removes roles of people in courses, all of one person or all in one course, for a
// request of a. The people and courses are locked. If a rule refuses one, none is removed, and the
// faults have the rows of their roles. Roles that do not exist are ignored.
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

// latestProgress returns the latest attempts of the learners among roles if rules need their
// progress. It locks their enrollments, so that the progress does not change.
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
