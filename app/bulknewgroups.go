package app

import (
	"context"
	"maps"
	"slices"
	"strings"

	"lyceum/app/usecase"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/ports"
)

// addGroups returns the ids of the groups that all are about, by the key of the
// name. Those that nobody has are added.
func (u *Bulk) addGroups(
	ctx context.Context, tx ports.Tx, all []filling, refused map[int]error,
) (map[string]group.ID, error) {
	names := make([]string, len(all))
	for i, f := range all {
		names[i] = f.row.Subject
	}
	ids, err := tx.Groups.ByName(ctx, names)
	if err != nil {
		return nil, err
	}
	byKey := slices.Clone(all)
	slices.SortStableFunc(byKey, func(a, b filling) int { return strings.Compare(a.key, b.key) })
	for _, f := range byKey {
		if _, ok := ids[f.key]; ok {
			continue
		}
		g, err := group.New(group.ID{UUID: u.deps.IDs.New()}, f.row.Subject, u.deps.NewToken(), u.deps.Clock.Now())
		if err != nil {
			refused[f.row.Number] = err
			continue
		}
		ids[f.key] = g.State().ID
		err = tx.Groups.Add(ctx, g)
		if holder := holderOf(err); holder != nil {
			ids[f.key] = group.ID{UUID: holder.ID} // somebody else has added it meanwhile
			continue
		}
		if err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// holderOf returns who has the value for which err refuses a record, nil when
// that is not what err says.
func holderOf(err error) *fault.Holder {
	if all := fault.All(err); len(all) == 1 {
		return all[0].Holder
	}
	return nil
}

// fillable is groups that are to get courses.
type fillable struct {
	courses map[group.ID][]course.ID // that they have
	members map[group.ID][]person.ID
}

// lockGroups locks the groups ids.
func lockGroups(ctx context.Context, tx ports.Tx, ids []group.ID) (fillable, error) {
	g := fillable{members: map[group.ID][]person.ID{}}
	for _, id := range usecase.InLockOrder(slices.Values(ids)) {
		_, err := tx.Groups.Find(ctx, id)
		if fault.Is(err, fault.NotFound) {
			err = ports.ErrChanged
		}
		if err != nil {
			return g, err
		}
		if g.members[id], err = tx.Memberships.Members(ctx, id); err != nil {
			return g, err
		}
	}
	var err error
	g.courses, err = tx.Groups.Courses(ctx, ids)
	if g.courses == nil {
		g.courses = map[group.ID][]course.ID{}
	}
	return g, err
}

// lockMembers locks the members of the groups and returns them. Those that do not exist
// any longer are no members any longer.
func (g fillable) lockMembers(ctx context.Context, tx ports.Tx) (map[person.ID]person.Person, error) {
	everyone := map[person.ID]bool{}
	for _, members := range g.members {
		for _, p := range members {
			everyone[p] = true
		}
	}
	people, err := tx.People.Load(ctx, slices.Collect(maps.Keys(everyone)))
	for id, members := range g.members {
		g.members[id] = slices.DeleteFunc(members, func(p person.ID) bool {
			_, ok := people[p]
			return !ok
		})
	}
	return people, err
}
