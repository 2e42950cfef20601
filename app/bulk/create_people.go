package bulk

import (
	"context"
	"maps"
	"slices"

	"lyceum/domain/person"
	"lyceum/ports"
)

// matchPeople returns the people of all rows, by the unique key of the email address, and reports
// which of them are new. It does not save the new people.
func (u *Bulk) matchPeople(
	ctx context.Context, tx ports.Tx, all []personRow, refused map[int]error,
) (people map[string]person.Person, isNew map[string]bool, err error) {
	emails := make([]string, len(all))
	for i, r := range all {
		emails[i] = r.Subject
	}
	if people, err = tx.People.ByEmail(ctx, emails); err != nil {
		return nil, nil, err
	}
	now := u.deps.Clock.Now()
	isNew = map[string]bool{}
	for _, r := range all {
		if _, ok := people[r.key]; ok {
			continue
		}
		p, err := person.New(person.ID{UUID: u.deps.IDs.New()}, person.Profile{Email: r.Subject}, now)
		if err != nil {
			refused[r.Number] = err
			continue
		}
		people[r.key], isNew[r.key] = p, true
	}
	return people, isNew, nil
}

// addPeople adds the new people and returns the ids of the people that no other transaction has
// added since matchPeople. It replaces the values of people with the current records, locked for
// share.
func addPeople(
	ctx context.Context, tx ports.Tx, all []personRow, people, created map[string]person.Person,
) ([]person.ID, error) {
	wanted, ids := map[string]string{}, map[string]person.ID{}
	var adding []person.Person
	for _, r := range all {
		if _, ok := wanted[r.key]; ok {
			continue
		}
		wanted[r.key], ids[r.key] = r.Subject, people[r.key].State().ID
		if p, ok := created[r.key]; ok {
			adding = append(adding, p)
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
	locked, err := tx.People.GetManyForShare(ctx, slices.Collect(maps.Values(ids)))
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
