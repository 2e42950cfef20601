package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
)

// Memberships is how people get into groups and out of them.
type Memberships struct{ deps usecase.Deps }

// Seat is a role in a group.
type Seat struct {
	Group group.ID
	Role  membership.Role
}

// ListOf returns a page of the memberships of a group, of both roles.
func (u *Memberships) ListOf(ctx context.Context, a Actor, id group.ID, q query.Query) (query.Result[membership.Membership], error) {
	r := u.deps.Store.Read(a.School())
	if _, err := r.Groups.Get(ctx, id); err != nil {
		return query.Result[membership.Membership]{}, err
	}
	return r.Memberships.List(ctx, q.And(query.Cond{
		Attr: membership.Schema.Attr("group.id"), Op: query.Eq, Values: []query.Value{{ID: id.UUID}},
	}))
}

// Get returns one membership.
func (u *Memberships) Get(ctx context.Context, a Actor, id membership.ID) (membership.Membership, error) {
	return u.deps.Store.Read(a.School()).Memberships.Get(ctx, id)
}

// Delete ends one membership. What the person learns in the group's courses
// stays.
func (u *Memberships) Delete(ctx context.Context, a Actor, id membership.ID) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		return tx.Memberships.RemoveByID(ctx, id)
	})
}

// Join gives a person seats in groups: all of them or, when a group is unknown
// or a rule refuses one, none. Seats that the person has already stay.
func (u *Memberships) Join(ctx context.Context, a Actor, id person.ID, seats []Seat) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		p, groups, err := seated(ctx, tx, id, seats)
		if err != nil {
			return err
		}
		sittings := make([]sitting, len(seats))
		for i, s := range seats {
			sittings[i] = sitting{person: id, Seat: s}
		}
		return join(ctx, u.deps, tx, map[person.ID]person.Person{id: p}, groups, sittings)
	})
}

// Leave takes seats in groups from a person: all of them or, when a group is
// unknown, none. What the person learns in the groups' courses stays.
func (u *Memberships) Leave(ctx context.Context, a Actor, id person.ID, seats []Seat) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		if _, _, err := seated(ctx, tx, id, seats); err != nil {
			return err
		}
		for _, role := range membership.Roles() {
			var groups []group.ID
			for _, s := range seats {
				if s.Role == role {
					groups = append(groups, s.Group)
				}
			}
			if len(groups) == 0 {
				continue
			}
			if _, err := tx.Memberships.Leave(ctx, id, role, groups); err != nil {
				return err
			}
		}
		return nil
	})
}

// AddPeople gives people a seat as member in a group: all of them or, when a
// person is unknown or a rule refuses one, none.
func (u *Memberships) AddPeople(ctx context.Context, a Actor, id group.ID, ids []person.ID) error {
	return u.addPeople(ctx, a, id, membership.Member, ids)
}

// AddManagers is AddPeople for seats as manager.
func (u *Memberships) AddManagers(ctx context.Context, a Actor, id group.ID, ids []person.ID) error {
	return u.addPeople(ctx, a, id, membership.Manager, ids)
}

func (u *Memberships) addPeople(ctx context.Context, a Actor, id group.ID, role membership.Role, ids []person.ID) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		groups, err := loadGroup(ctx, tx, id)
		if err != nil {
			return err
		}
		people, err := usecase.LoadPeople(ctx, tx, ids)
		if err != nil {
			return err
		}
		sittings := make([]sitting, len(ids))
		for i, p := range ids {
			sittings[i] = sitting{person: p, Seat: Seat{Group: id, Role: role}}
		}
		return join(ctx, u.deps, tx, people, groups, sittings)
	})
}

// RemovePeople takes the seats as member in a group from people: all of them or, when
// a person is unknown, none.
func (u *Memberships) RemovePeople(ctx context.Context, a Actor, id group.ID, ids []person.ID) error {
	return u.removePeople(ctx, a, id, membership.Member, ids)
}

// RemoveManagers is RemovePeople for the seats as manager.
func (u *Memberships) RemoveManagers(ctx context.Context, a Actor, id group.ID, ids []person.ID) error {
	return u.removePeople(ctx, a, id, membership.Manager, ids)
}

func (u *Memberships) removePeople(ctx context.Context, a Actor, id group.ID, role membership.Role, ids []person.ID) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		if _, err := loadGroup(ctx, tx, id); err != nil {
			return err
		}
		if _, err := usecase.LoadPeople(ctx, tx, ids); err != nil {
			return err
		}
		_, err := tx.Memberships.Remove(ctx, id, role, ids)
		return err
	})
}

// loadGroup returns the group id, by id, NotFound when there is none.
func loadGroup(ctx context.Context, tx ports.Tx, id group.ID) (map[group.ID]group.Group, error) {
	groups, err := tx.Groups.Load(ctx, []group.ID{id})
	if err == nil && len(groups) == 0 {
		err = fault.Missing()
	}
	return groups, err
}

// seated returns the person and the groups of seats. The groups are locked first,
// as in every operation on both, so that no two wait for each other; that the
// person does not exist is told first all the same.
func seated(ctx context.Context, tx ports.Tx, id person.ID, seats []Seat) (person.Person, map[group.ID]group.Group, error) {
	ids := make([]group.ID, len(seats))
	for i, s := range seats {
		ids[i] = s.Group
	}
	found, err := tx.Groups.Load(ctx, ids)
	if err != nil {
		return person.Person{}, nil, err
	}
	p, err := tx.People.Find(ctx, id)
	if err != nil {
		return person.Person{}, nil, err
	}
	groups, err := usecase.Complete(found, nil, ids)
	return p, groups, err
}
