package app

import (
	"context"
	"maps"
	"slices"

	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/text"
	"lyceum/ports"
)

// errMoved says that what a part found has gone before it could be locked. The
// next try finds what is there then.
var errMoved = fault.Busyf("Records were removed meanwhile")

// admission is a row of a bulk request: somebody who is to join groups.
type admission struct {
	row    bulk.Row
	key    string     // the text.Key of the address
	groups []group.ID // one for each of the row's targets
}

// applyPeople adds and invites those whose addresses nobody has, and lets
// everybody join the groups.
//
// Locks are taken in one order, so that parts do not wait for each other in a
// circle: the school if it has a quota of people, groups by their ids, new addresses
// by their keys, people by their ids.
// Whether a rule refuses a row is asked twice: before anybody is added, so that
// nobody is who would be refused, and of the people as they are once locked.
func (u *Bulk) applyPeople(ctx context.Context, tx ports.Tx, rows []bulk.Row) (map[int]error, error) {
	refused := map[int]error{}
	room, err := roomForPeople(ctx, u.deps, tx)
	if err != nil {
		return nil, err
	}
	all, groups, err := invitedTo(ctx, tx, rows, refused)
	if err != nil {
		return nil, err
	}
	people, fresh, err := u.candidates(ctx, tx, all, refused)
	if err != nil {
		return nil, err
	}
	all, _, err = u.admit(ctx, tx, without(all, refused), people, groups, refused)
	if err != nil {
		return nil, err
	}
	all = u.withinQuota(all, fresh, room, refused)
	added, err := addPeople(ctx, tx, all, people, fresh)
	if err != nil {
		return nil, err
	}
	_, j, err := u.admit(ctx, tx, all, people, groups, refused)
	if err != nil {
		return nil, err
	}
	s, err := tx.School.Get(ctx)
	if err != nil {
		return nil, err
	}
	if err := inviteAll(ctx, u.deps, tx, s, added, u.deps.Clock.Now()); err != nil {
		return nil, err
	}
	return refused, j.keep(ctx, tx)
}

// invitedTo returns the rows with the groups that they name, and these groups,
// locked; a row that names an unknown one is refused.
func invitedTo(
	ctx context.Context, tx ports.Tx, rows []bulk.Row, refused map[int]error,
) ([]admission, map[group.ID]group.Group, error) {
	byName, err := tx.Groups.ByName(ctx, namesOf(rows))
	if err != nil {
		return nil, nil, err
	}
	groups, err := tx.Groups.Load(ctx, slices.Collect(maps.Values(byName)))
	if err != nil {
		return nil, nil, err
	}
	var all []admission
	for _, r := range rows {
		a := admission{row: r, key: text.Key(r.Subject)}
		var unknown []error
		for _, t := range r.Targets {
			id := byName[text.Key(t.Name)]
			if _, ok := groups[id]; !ok {
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

// admit returns those of all whom no rule refuses, and what their joining comes
// to. People are by the key of the address.
func (u *Bulk) admit(
	ctx context.Context, tx ports.Tx, all []admission, people map[string]person.Person,
	groups map[group.ID]group.Group, refused map[int]error,
) ([]admission, joining, error) {
	for {
		var sittings []sitting
		var from []admission
		var fields []string
		who := map[person.ID]person.Person{}
		for _, a := range all {
			id := people[a.key].State().ID
			who[id] = people[a.key]
			for i, g := range a.groups {
				sittings = append(sittings, sitting{person: id, Seat: Seat{Group: g, Role: membership.Member}})
				from, fields = append(from, a), append(fields, a.row.Targets[i].Field)
			}
		}
		j, err := seatAll(ctx, u.deps, tx, who, groups, sittings)
		if err != nil {
			return nil, joining{}, err
		}
		broken := false
		for i, err := range j.refused {
			if err != nil {
				broken = true
				refused[from[i].row.Number] = fault.Join(refused[from[i].row.Number], fault.At(fields[i], err))
			}
		}
		if !broken {
			return all, j, nil
		}
		all = without(all, refused) // and see what is left of them: rows may stand for the same
	}
}

func without(all []admission, refused map[int]error) []admission {
	return slices.DeleteFunc(slices.Clone(all), func(a admission) bool { return refused[a.row.Number] != nil })
}
