package admission

import (
	"context"
	"maps"
	"slices"

	"lyceum/domain/course"
	"lyceum/domain/policy"
	"lyceum/ports"
)

// Courses contains the courses in which a request enrolls or unenrolls people.
type Courses struct {
	ByID     map[course.ID]course.Course // filled by LockCourses and AddForShare
	learners counts[course.ID]
}

// LockCourses locks the existing courses among ids for update if a rule counts learners, and
// otherwise does nothing. Call it before people are locked, and AddForShare afterwards.
func LockCourses(ctx context.Context, rules policy.Set, tx ports.Tx, ids []course.ID) (*Courses, error) {
	c := &Courses{ByID: map[course.ID]course.Course{}, learners: counts[course.ID]{}}
	if !rules.CountsLearners() {
		return c, nil
	}
	return c, lockCounted(ctx, ids, c.ByID, c.learners, tx.Courses.GetForUpdate, tx.Courses.Get,
		func(s course.Summary) int64 { return s.EnrollmentsCount })
}

// AddForShare locks the courses with the given ids for share and adds them to c.ByID. It ignores
// courses that do not exist.
func (c *Courses) AddForShare(ctx context.Context, tx ports.Tx, ids []course.ID) error {
	missing := slices.DeleteFunc(slices.Clone(ids), func(id course.ID) bool {
		_, ok := c.ByID[id]
		return ok
	})
	if len(missing) == 0 {
		return nil
	}
	found, err := tx.Courses.GetManyForShare(ctx, missing)
	maps.Copy(c.ByID, found)
	return err
}

// NewCourses returns the courses in ids that are not in held, without duplicates, and their indexes
// in ids.
func NewCourses(held, ids []course.ID) (added []course.ID, indexes []int) {
	known := make(map[course.ID]bool, len(held)+len(ids))
	for _, c := range held {
		known[c] = true
	}
	for i, c := range ids {
		if !known[c] {
			known[c] = true
			added, indexes = append(added, c), append(indexes, i)
		}
	}
	return added, indexes
}
