package admission

import (
	"context"
	"maps"
	"slices"

	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/policy"
	"lyceum/ports"
)

// Groups contains the groups that people join or leave in a request.
type Groups struct {
	ByID      map[group.ID]group.Group
	members   counts[group.ID]
	courses   *Courses // locked courses of the groups; nil: none is locked yet
	courseIDs map[group.ID][]course.ID
}

// LockGroups locks the existing groups among ids: for update if a rule counts members, otherwise
// for share. It also locks their courses if a rule counts learners. Call it before people are
// locked.
func LockGroups(ctx context.Context, rules policy.Set, tx ports.Tx, ids []group.ID) (*Groups, error) {
	g, err := LockGroupsAlone(ctx, rules, tx, ids)
	if err != nil || !rules.CountsLearners() {
		return g, err
	}
	all, err := g.readCourseIDs(ctx, tx)
	if err != nil {
		return nil, err
	}
	g.courses, err = LockCourses(ctx, rules, tx, all)
	return g, err
}

// LockGroupsAlone is like LockGroups, but does not lock courses. It is for people who leave groups.
func LockGroupsAlone(ctx context.Context, rules policy.Set, tx ports.Tx, ids []group.ID) (*Groups, error) {
	g := &Groups{ByID: map[group.ID]group.Group{}, members: counts[group.ID]{}}
	var err error
	if rules.CountsMembers() {
		err = lockCounted(ctx, ids, g.ByID, g.members, tx.Groups.GetForUpdate, tx.Groups.Get,
			func(s group.Summary) int64 { return s.MembershipCount })
	} else {
		g.ByID, err = tx.Groups.GetManyForShare(ctx, ids)
	}
	return g, err
}

// readCourseIDs reads which courses the groups have, and returns the IDs of all these courses.
func (g *Groups) readCourseIDs(ctx context.Context, tx ports.Tx) ([]course.ID, error) {
	var err error
	g.courseIDs, err = tx.Groups.CourseIDs(ctx, slices.Collect(maps.Keys(g.ByID)))
	return slices.Concat(slices.Collect(maps.Values(g.courseIDs))...), err
}

// loadCourses locks the courses of the groups for share. Call it after people are locked.
func (g *Groups) loadCourses(ctx context.Context, tx ports.Tx) error {
	all, err := g.readCourseIDs(ctx, tx)
	if err != nil {
		return err
	}
	if g.courses == nil {
		g.courses = &Courses{ByID: map[course.ID]course.Course{}}
	}
	if err := g.courses.AddForShare(ctx, tx, all); err != nil {
		return err
	}
	// Skip a course whose removal began after readCourseIDs.
	for id, courses := range g.courseIDs {
		g.courseIDs[id] = slices.DeleteFunc(courses, func(c course.ID) bool {
			_, ok := g.courses.ByID[c]
			return !ok
		})
	}
	return nil
}
