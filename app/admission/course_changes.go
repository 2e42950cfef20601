package admission

import (
	"context"

	"lyceum/domain/course"
	"lyceum/domain/policy"
	"lyceum/ports"
)

// CheckCourseChange returns the verdict on a change of a course. structure reports whether the
// course structure changes. The course must be locked.
func CheckCourseChange(
	ctx context.Context, rules policy.Set, r ports.CourseReader, by policy.Request, before, after course.State, structure bool,
) error {
	if len(rules.ChangeCourse) == 0 {
		return nil
	}
	d := policy.ChangingCourse{Request: by, Before: before, After: after, Structure: structure}
	if rules.ChangeCourse.Needs().Has(policy.Count) {
		s, err := r.Get(ctx, before.ID)
		if err != nil {
			return err
		}
		d.Learners = s.EnrollmentsCount
	}
	return rules.ChangeCourse.Check(d)
}
