package bulk

import (
	"context"
	"maps"
	"slices"
	"strings"

	"lyceum/app/admission"
	"lyceum/app/usecase"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/ports"
)

// addGroups adds the missing groups of all rows, with their properties, in the order of their keys.
// It returns the IDs of all groups by the unique key of their names, and adds the faults of invalid
// groups to refused by row number.
func (u *Bulk) addGroups(
	ctx context.Context, tx ports.Tx, all []targetRow[course.ID], defined []property.State, refused map[int]error,
) (map[string]group.ID, error) {
	names := make([]string, len(all))
	for i, r := range all {
		names[i] = r.Subject
	}
	ids, err := tx.Groups.IDsByName(ctx, names)
	if err != nil {
		return nil, err
	}
	byKey := slices.Clone(all)
	slices.SortStableFunc(byKey, func(a, b targetRow[course.ID]) int { return strings.Compare(a.key, b.key) })
	for _, r := range byKey {
		if _, ok := ids[r.key]; ok {
			continue
		}
		now := u.deps.Clock.Now()
		g, err := group.New(group.ID{UUID: u.deps.IDs.New()}, r.Subject, u.deps.NewToken(), now)
		if err == nil {
			_, err = g.Update(group.Changes{Properties: property.Changes{Sent: r.Properties, Defined: defined}}, now)
		}
		if err != nil {
			refused[r.Number] = err
			continue
		}
		ids[r.key] = g.State().ID
		err = tx.Groups.Add(ctx, g)
		if holder := holderOf(err); holder != nil {
			ids[r.key] = group.ID{UUID: holder.ID} // another transaction added the group after IDsByName
			continue
		}
		if err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// holderOf returns the record that already has the unique value that err reports as taken. It
// returns nil for any other error.
func holderOf(err error) *fault.Holder {
	if all := fault.All(err); len(all) == 1 {
		return all[0].Holder
	}
	return nil
}

// lockedGroups contains groups to which courses are added. The groups are locked for update.
type lockedGroups struct {
	byID    map[group.ID]group.Group
	courses map[group.ID][]course.ID // courses of each group, including the courses that the rows granted so far add
	members map[group.ID][]person.ID
}

// lockGroups locks the groups with the given ids and reads their courses and members. It returns
// ports.ErrChanged if one of them was deleted.
func lockGroups(ctx context.Context, tx ports.Tx, ids []group.ID) (lockedGroups, error) {
	g := lockedGroups{byID: map[group.ID]group.Group{}, members: map[group.ID][]person.ID{}}
	for _, id := range usecase.InLockOrder(slices.Values(ids)) {
		var err error
		g.byID[id], err = tx.Groups.GetForUpdate(ctx, id)
		if fault.Is(err, fault.NotFound) {
			err = ports.ErrChanged
		}
		if err != nil {
			return g, err
		}
		if g.members[id], err = tx.Memberships.MemberIDs(ctx, id); err != nil {
			return g, err
		}
	}
	var err error
	g.courses, err = tx.Groups.CourseIDs(ctx, ids)
	if g.courses == nil {
		g.courses = map[group.ID][]course.ID{}
	}
	return g, err
}

// limitSize refuses each row that adds too many enrollments by itself, and returns the other rows.
// ids maps the unique keys of group names to groups. limitSize returns a tooManyError if the rows
// together add too many enrollments. It removes from g.members the groups to which the rows add no
// course, so that lockMembers does not lock their members.
func (g lockedGroups) limitSize(
	all []targetRow[course.ID], ids map[string]group.ID, refused map[int]error,
) ([]targetRow[course.ID], error) {
	var fit []targetRow[course.ID]
	sum, adding := 0, map[group.ID]bool{}
	for _, r := range all {
		id := ids[r.key]
		added, targets := admission.NewCourses(g.courses[id], r.ids)
		n := len(added) * len(g.members[id])
		if err := enrollment.CheckAdded(n); err != nil {
			// The first MaxAdded/members courses are within the maximum; the next one exceeds it.
			at := targets[enrollment.MaxAdded/len(g.members[id])]
			refused[r.Number] = fault.OnField(r.Targets[at].Field, err)
			continue
		}
		if sum > 0 && sum+n > partEnrollments {
			return nil, &tooManyError{r.Number}
		}
		sum += n
		fit = append(fit, r)
		adding[id] = adding[id] || n > 0
	}
	maps.DeleteFunc(g.members, func(id group.ID, _ []person.ID) bool { return !adding[id] })
	return fit, nil
}

// lockMembers locks the members of the groups for share and returns them. It removes people who no
// longer exist from g.members.
func (g lockedGroups) lockMembers(ctx context.Context, tx ports.Tx) (map[person.ID]person.Person, error) {
	people, err := tx.People.GetManyForShare(ctx, slices.Concat(slices.Collect(maps.Values(g.members))...))
	for id, members := range g.members {
		g.members[id] = slices.DeleteFunc(members, func(p person.ID) bool {
			_, ok := people[p]
			return !ok
		})
	}
	return people, err
}
