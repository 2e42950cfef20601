package bulk

import (
	"context"
	"maps"
	"slices"

	"lyceum/app/admission"
	"lyceum/app/usecase"
	"lyceum/domain/bulk"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/group"
	"lyceum/domain/property"
	"lyceum/domain/text"
	"lyceum/ports"
)

// applyGroups adds the missing groups, sets the properties of all groups, adds the courses to them,
// and enrolls their members, as app.Groups.AddCourses does.
//
// Locks are taken in one order, so that parts cannot deadlock: definitions of properties, courses,
// new names by their keys, groups by their IDs, people by their IDs. Groups are added before the
// rules are checked, because a new group has no members whose enrollment a rule could refuse.
func (u *Bulk) applyGroups(ctx context.Context, tx ports.Tx, a usecase.Actor, rows []bulk.Row) (map[int]error, error) {
	refused := map[int]error{}
	defined, err := defineProperties(ctx, tx, property.Groups, rows)
	if err != nil {
		return nil, err
	}
	all, courses, err := lockRowCourses(ctx, tx, rows, refused)
	if err != nil {
		return nil, err
	}
	ids, err := u.addGroups(ctx, tx, all, defined, refused)
	if err != nil {
		return nil, err
	}
	all = withoutRefused(all, refused)
	g, err := lockGroups(ctx, tx, slices.Collect(maps.Values(ids)))
	if err != nil {
		return nil, err
	}
	if all, err = g.limitSize(all, ids, refused); err != nil {
		return nil, err
	}
	in, err := admission.LockCourses(ctx, u.deps.Policies.Living, tx, slices.Collect(maps.Keys(courses)))
	if err != nil {
		return nil, err
	}
	maps.Copy(in.ByID, courses)
	people, err := g.lockMembers(ctx, tx)
	if err != nil {
		return nil, err
	}
	e, err := admission.NewEnrolling(ctx, u.deps, tx, a, in, people)
	if err != nil {
		return nil, err
	}
	now := u.deps.Clock.Now()
	adding, changed := map[group.ID][]course.ID{}, map[group.ID]group.Group{}
	for _, r := range all {
		id := ids[r.key]
		after := g.byID[id]
		differs, err := after.Update(group.Changes{Properties: property.Changes{Sent: r.Properties, Defined: defined}}, now)
		if err != nil {
			refused[r.Number] = err
			continue
		}
		added, targets := admission.NewCourses(g.courses[id], r.ids)
		var roles []admission.CourseRole
		var fields []string // fields of the roles
		for i, c := range added {
			roles = append(roles, admission.RolesIn(c, enrollment.Learner, g.members[id])...)
			fields = append(fields, slices.Repeat([]string{r.Targets[targets[i]].Field}, len(g.members[id]))...)
		}
		if err := atFields(fields, e.Row(roles)); err != nil {
			refused[r.Number] = err
			continue
		}
		if g.byID[id] = after; differs {
			changed[id] = after
		}
		g.courses[id], adding[id] = append(g.courses[id], added...), append(adding[id], added...)
	}
	for _, id := range usecase.InLockOrder(maps.Keys(adding)) {
		if after, ok := changed[id]; ok {
			u.useAllowance(a, after.State().Properties)
			if err := tx.Groups.Save(ctx, after); err != nil {
				return nil, err
			}
		}
		if _, err := tx.Groups.AddCourses(ctx, id, adding[id]); err != nil {
			return nil, err
		}
	}
	return refused, e.Save(ctx, tx)
}

// lockRowCourses locks the courses of rows for share. It returns the courses and the rows whose
// courses all exist, and refuses the other rows.
func lockRowCourses(
	ctx context.Context, tx ports.Tx, rows []bulk.Row, refused map[int]error,
) ([]targetRow[course.ID], map[course.ID]course.Course, error) {
	var permalinks []string
	byRef := map[string]course.ID{}
	for _, ref := range targetNames(rows) {
		if id, ok := text.UUID(ref); ok {
			byRef[ref] = course.ID{UUID: id}
		} else {
			permalinks = append(permalinks, ref)
		}
	}
	found, err := tx.Courses.IDsByPermalink(ctx, permalinks)
	if err != nil {
		return nil, nil, err
	}
	maps.Copy(byRef, found)
	courses, err := tx.Courses.GetManyForShare(ctx, slices.Collect(maps.Values(byRef)))
	if err != nil {
		return nil, nil, err
	}
	return resolveTargets(bulk.Groups, rows, func(ref string) course.ID { return byRef[ref] }, courses, refused), courses, nil
}
