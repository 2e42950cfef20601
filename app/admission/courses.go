package admission

import (
	"context"
	"maps"
	"slices"

	"lyceum/app/usecase"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/policy"
	"lyceum/ports"
)

// Courses is courses in which people are to be enrolled.
type Courses struct {
	ByID     map[course.ID]course.Course // once they are loaded
	learners map[course.ID]int64         // of those in which a rule counts
}

// LockCourses locks those of the courses ids that exist if a rule counts their
// learners. It comes before people are locked; Load, which comes after that,
// loads the courses.
func LockCourses(ctx context.Context, rules policy.Set, tx ports.Tx, ids []course.ID) (*Courses, error) {
	c := &Courses{ByID: map[course.ID]course.Course{}, learners: map[course.ID]int64{}}
	if rules.Enroll.Need() < policy.Count {
		return c, nil
	}
	for _, id := range usecase.InLockOrder(slices.Values(ids)) {
		found, err := tx.Courses.Find(ctx, id)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		counted, err := tx.Courses.Get(ctx, id)
		if err != nil {
			return nil, err
		}
		c.ByID[id], c.learners[id] = found, counted.EnrollmentsCount
	}
	return c, nil
}

// Load loads those of the courses ids that exist, locked against deletion.
func (c *Courses) Load(ctx context.Context, tx ports.Tx, ids []course.ID) error {
	missing := slices.DeleteFunc(slices.Clone(ids), func(id course.ID) bool {
		_, ok := c.ByID[id]
		return ok
	})
	if len(missing) == 0 {
		return nil
	}
	found, err := tx.Courses.Load(ctx, missing)
	maps.Copy(c.ByID, found)
	return err
}
