package app

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"

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

// lockGroups locks the groups ids and their members, and returns the courses and
// the members of each.
func lockGroups(
	ctx context.Context, tx ports.Tx, ids []group.ID,
) (map[group.ID][]course.ID, map[group.ID][]person.Person, error) {
	memberIDs, everybody := map[group.ID][]person.ID{}, map[person.ID]bool{}
	for _, id := range sortedIDs(slices.Values(ids)) {
		_, err := tx.Groups.Find(ctx, id)
		if fault.Is(err, fault.NotFound) {
			err = errMoved
		}
		if err != nil {
			return nil, nil, err
		}
		if memberIDs[id], err = tx.Memberships.Members(ctx, id); err != nil {
			return nil, nil, err
		}
		for _, p := range memberIDs[id] {
			everybody[p] = true
		}
	}
	held, err := tx.Groups.Courses(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	people, err := tx.People.Load(ctx, slices.Collect(maps.Keys(everybody)))
	if err != nil {
		return nil, nil, err
	}
	members := map[group.ID][]person.Person{}
	for id, list := range memberIDs {
		for _, p := range list {
			if who, ok := people[p]; ok {
				members[id] = append(members[id], who)
			}
		}
	}
	return held, members, nil
}

// sortedIDs returns ids in the order in which groups are locked.
func sortedIDs(ids func(func(group.ID) bool)) []group.ID {
	return slices.SortedFunc(ids, func(a, b group.ID) int { return bytes.Compare(a.UUID[:], b.UUID[:]) })
}
