package app

import (
	"context"
	"maps"
	"slices"

	"lyceum/domain/person"
	"lyceum/ports"
)

// candidates returns everybody whom all are about, by the key of the address,
// and the ids of those who are not kept yet, who are as the first row that is
// about them says.
func (u *Bulk) candidates(
	ctx context.Context, tx ports.Tx, all []entrant, refused map[int]error,
) (map[string]person.Person, map[string]person.ID, error) {
	emails := make([]string, len(all))
	for i, a := range all {
		emails[i] = a.row.Subject
	}
	people, err := tx.People.ByEmail(ctx, emails)
	if err != nil {
		return nil, nil, err
	}
	now, fresh := u.deps.Clock.Now(), map[string]person.ID{}
	for _, a := range all {
		if _, ok := people[a.key]; ok {
			continue
		}
		p, err := person.New(person.ID{UUID: u.deps.IDs.New()}, person.Profile{Email: a.row.Subject}, now)
		if err != nil {
			refused[a.row.Number] = err
			continue
		}
		people[a.key], fresh[a.key] = p, p.State().ID
	}
	return people, fresh, nil
}

// addPeople keeps those of fresh whom all are about and returns the ids of those
// whom nobody else has added meanwhile. In people it puts everybody as they are,
// locked.
func addPeople(
	ctx context.Context, tx ports.Tx, all []entrant, people map[string]person.Person, fresh map[string]person.ID,
) ([]person.ID, error) {
	wanted, ids := map[string]string{}, map[string]person.ID{}
	var adding []person.Person
	for _, a := range all {
		if _, ok := wanted[a.key]; ok {
			continue
		}
		wanted[a.key], ids[a.key] = a.row.Subject, people[a.key].State().ID
		if _, ok := fresh[a.key]; ok {
			adding = append(adding, people[a.key])
		}
	}
	added, err := tx.People.AddIfAbsent(ctx, adding)
	if err != nil {
		return nil, err
	}
	if len(added) < len(adding) {
		found, err := tx.People.ByEmail(ctx, slices.Collect(maps.Values(wanted)))
		if err != nil {
			return nil, err
		}
		for key := range ids {
			ids[key] = found[key].State().ID
		}
	}
	locked, err := tx.People.Load(ctx, slices.Collect(maps.Values(ids)))
	if err != nil {
		return nil, err
	}
	for key, id := range ids {
		p, ok := locked[id]
		if !ok {
			return nil, ports.ErrChanged
		}
		people[key] = p
	}
	return added, nil
}
