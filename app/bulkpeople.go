package app

import (
	"context"
	"maps"
	"slices"

	"lyceum/app/admission"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/text"
	"lyceum/ports"
)

// entrant is a row of a bulk request: a person who is to join groups.
type entrant struct {
	row    bulk.Row
	key    string     // the text.Key of the address
	groups []group.ID // one for each of the row's targets
}

// applyPeople adds and invites those whose addresses nobody has, and lets
// everybody join the groups.
//
// Locks are taken in one order, so that parts do not wait for each other in a
// circle: the school if a rule counts its people, groups by their ids, new addresses
// by their keys, people by their ids.
// Whether a rule refuses a row is decided before anybody is added, so that nobody is
// added who would be refused, and joining again for the people as they are once locked.
func (u *Bulk) applyPeople(ctx context.Context, tx ports.Tx, rows []bulk.Row) (map[int]error, error) {
	refused := map[int]error{}
	creations, err := admission.NewCreations(ctx, u.deps.Policies.Living, tx.School, true)
	if err != nil {
		return nil, err
	}
	all, groups, err := u.invitedTo(ctx, tx, rows, refused)
	if err != nil {
		return nil, err
	}
	people, fresh, err := u.candidates(ctx, tx, all, refused)
	if err != nil {
		return nil, err
	}
	all = without(all, refused)
	j, err := admission.NewJoining(ctx, u.deps, tx, groups, byID(people))
	if err != nil {
		return nil, err
	}
	admitted := map[string]bool{} // of fresh
	for _, a := range all {
		if _, isNew := fresh[a.key]; isNew && !admitted[a.key] {
			err = admitNew(creations, j, a, people[a.key].State())
			admitted[a.key] = err == nil
		} else {
			err = a.join(j, people[a.key].State().ID)
		}
		if err != nil {
			refused[a.row.Number] = err
		}
	}
	j.GiveBackAll() // until everybody is locked
	all = without(all, refused)
	added, err := addPeople(ctx, tx, all, people, fresh)
	if err != nil {
		return nil, err
	}
	if j, err = admission.NewJoining(ctx, u.deps, tx, groups, byID(people)); err != nil {
		return nil, err
	}
	for _, a := range all {
		if err := a.join(j, people[a.key].State().ID); err != nil {
			refused[a.row.Number] = err
		}
	}
	if err := admission.InviteAll(ctx, u.deps, tx, creations.School(), added, u.deps.Clock.Now()); err != nil {
		return nil, err
	}
	return refused, j.Save(ctx, tx)
}

// admitNew returns why a row about the new person p is refused, nil if it is granted.
func admitNew(creations *admission.Creations, j *admission.Joining, a entrant, p person.State) error {
	errPerson := fault.AtBlank("email", creations.Decide(p))
	errGroups := a.join(j, p.ID)
	switch {
	case errPerson != nil && errGroups == nil:
		j.GiveBack()
	case errPerson == nil && errGroups != nil:
		creations.GiveBack()
	}
	return fault.Join(errPerson, errGroups)
}

// join returns why the person of the row may not join its groups, nil if they do.
func (a entrant) join(j *admission.Joining, id person.ID) error {
	roles, fields := make([]admission.Role, len(a.groups)), make([]string, len(a.groups))
	for i, g := range a.groups {
		roles[i], fields[i] = admission.Role{Person: id, Group: g, Role: membership.Member}, a.row.Targets[i].Field
	}
	return atFields(fields, j.Row(roles))
}

func byID(people map[string]person.Person) map[person.ID]person.Person {
	all := make(map[person.ID]person.Person, len(people))
	for _, p := range people {
		all[p.State().ID] = p
	}
	return all
}

// invitedTo returns the rows with the groups that they name, and these groups,
// locked; a row that names an unknown one is refused.
func (u *Bulk) invitedTo(
	ctx context.Context, tx ports.Tx, rows []bulk.Row, refused map[int]error,
) ([]entrant, *admission.Groups, error) {
	byName, err := tx.Groups.ByName(ctx, namesOf(rows))
	if err != nil {
		return nil, nil, err
	}
	groups, err := admission.LockGroups(ctx, u.deps.Policies.Living, tx, slices.Collect(maps.Values(byName)))
	if err != nil {
		return nil, nil, err
	}
	var all []entrant
	for _, r := range rows {
		a := entrant{row: r, key: text.Key(r.Subject)}
		var unknown []error
		for _, t := range r.Targets {
			id := byName[text.Key(t.Name)]
			if _, ok := groups.ByID[id]; !ok {
				unknown = append(unknown, bulk.People.Unknown(t.Field))
			}
			a.groups = append(a.groups, id)
		}
		if unknown != nil {
			refused[r.Number] = fault.Join(unknown...)
			continue
		}
		all = append(all, a)
	}
	return all, groups, nil
}

func namesOf(rows []bulk.Row) []string {
	seen := map[string]bool{}
	for _, r := range rows {
		for _, t := range r.Targets {
			seen[t.Name] = true
		}
	}
	return slices.Collect(maps.Keys(seen))
}

func without(all []entrant, refused map[int]error) []entrant {
	return slices.DeleteFunc(slices.Clone(all), func(a entrant) bool { return refused[a.row.Number] != nil })
}
