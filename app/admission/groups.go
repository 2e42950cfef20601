package admission

import (
	"context"
	"slices"

	"lyceum/app/usecase"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/policy"
	"lyceum/ports"
)

// Groups is groups that people are to join.
type Groups struct {
	ByID    map[group.ID]group.Group
	members map[group.ID]int64 // of those in which a rule counts
	courses *Courses           // of the groups; nil until Joining loads them
	held    map[group.ID][]course.ID
}

// LockGroups loads those of the groups ids that exist, and locks them: against deletion
// and against a change of their courses, and against other people who join if a rule
// counts the members. It comes before people are locked.
func LockGroups(ctx context.Context, rules policy.Set, tx ports.Tx, ids []group.ID) (*Groups, error) {
	g := &Groups{members: map[group.ID]int64{}}
	var err error
	if rules.Join.Need() == policy.Count {
		err = g.lockCounted(ctx, tx, ids)
	} else {
		g.ByID, err = tx.Groups.Load(ctx, ids)
	}
	if err != nil || rules.Enroll.Need() < policy.Count {
		return g, err
	}
	held, err := g.coursesOf(ctx, tx)
	if err != nil {
		return nil, err
	}
	g.courses, err = LockCourses(ctx, rules, tx, held)
	return g, err
}

func (g *Groups) lockCounted(ctx context.Context, tx ports.Tx, ids []group.ID) error {
	g.ByID = map[group.ID]group.Group{}
	for _, id := range usecase.InLockOrder(slices.Values(ids)) {
		found, err := tx.Groups.Find(ctx, id)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return err
		}
		counted, err := tx.Groups.Get(ctx, id)
		if err != nil {
			return err
		}
		g.ByID[id], g.members[id] = found, counted.MembershipCount
	}
	return nil
}

// coursesOf finds out which courses the groups have, and returns all of them.
func (g *Groups) coursesOf(ctx context.Context, tx ports.Tx) ([]course.ID, error) {
	ids := make([]group.ID, 0, len(g.ByID))
	for id := range g.ByID {
		ids = append(ids, id)
	}
	var err error
	g.held, err = tx.Groups.Courses(ctx, ids)
	var all []course.ID
	for _, courses := range g.held {
		all = append(all, courses...)
	}
	return all, err
}

// load loads the courses of the groups, which comes after people are locked.
func (g *Groups) load(ctx context.Context, tx ports.Tx) error {
	held, err := g.coursesOf(ctx, tx)
	if err != nil {
		return err
	}
	if g.courses == nil {
		g.courses = &Courses{ByID: map[course.ID]course.Course{}}
	}
	if err := g.courses.Load(ctx, tx, held); err != nil {
		return err
	}
	// The removal of a course may have begun since the groups were asked for theirs.
	for id, courses := range g.held {
		g.held[id] = slices.DeleteFunc(courses, func(c course.ID) bool {
			_, there := g.courses.ByID[c]
			return !there
		})
	}
	return nil
}
