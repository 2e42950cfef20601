package app

import (
	"context"

	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
)

// Memberships is how people get into groups and out of them.
type Memberships struct{ deps }

// Seat is a role of a person in a group.
type Seat struct {
	Person person.ID
	Group  group.ID
	Role   membership.Role
}

// ListOf returns a page of the memberships of a group, of both roles.
func (u *Memberships) ListOf(ctx context.Context, a Actor, id group.ID, q query.Query) (query.Result[membership.Membership], error) {
	r := u.store.Read(a.school)
	if _, err := r.Groups.Get(ctx, id); err != nil {
		return query.Result[membership.Membership]{}, err
	}
	return r.Memberships.List(ctx, q.And(query.Cond{
		Attr: membership.Schema.Attr("group.id"), Op: query.Eq, Values: []query.Value{{ID: id.UUID}},
	}))
}

// Get returns one membership.
func (u *Memberships) Get(ctx context.Context, a Actor, id membership.ID) (membership.Membership, error) {
	return u.store.Read(a.school).Memberships.Get(ctx, id)
}

// Delete ends one membership. What the person learns in the group's courses
// stays.
func (u *Memberships) Delete(ctx context.Context, a Actor, id membership.ID) error {
	return u.store.InTx(ctx, a.school, func(ctx context.Context, tx ports.Tx) error {
		return tx.Memberships.RemoveByID(ctx, id)
	})
}

// Join gives a person seats in groups: all of them or, when a group is unknown
// or a rule refuses one, none. Seats that the person has already stay; whose the
// seats are is told by id alone.
func (u *Memberships) Join(ctx context.Context, a Actor, id person.ID, seats []Seat) error {
	return u.store.InTx(ctx, a.school, func(ctx context.Context, tx ports.Tx) error {
		p, groups, err := seated(ctx, tx, id, seats)
		if err != nil {
			return err
		}
		return u.join(ctx, tx, map[person.ID]person.Person{id: p}, groups, owned(id, seats))
	})
}

// Leave takes seats in groups from a person: all of them or, when a group is
// unknown, none. What the person learns in the groups' courses stays.
func (u *Memberships) Leave(ctx context.Context, a Actor, id person.ID, seats []Seat) error {
	return u.store.InTx(ctx, a.school, func(ctx context.Context, tx ports.Tx) error {
		if _, _, err := seated(ctx, tx, id, seats); err != nil {
			return err
		}
		for _, s := range seats {
			if _, err := tx.Memberships.Remove(ctx, s.Group, s.Role, []person.ID{id}); err != nil {
				return err
			}
		}
		return nil
	})
}

// Gather gives people a seat as member in a group: all of them or, when a
// person is unknown or a rule refuses one, none.
func (u *Memberships) Gather(ctx context.Context, a Actor, id group.ID, ids []person.ID) error {
	return u.store.InTx(ctx, a.school, func(ctx context.Context, tx ports.Tx) error {
		groups, err := tx.Groups.Load(ctx, []group.ID{id})
		if err != nil {
			return err
		}
		if len(groups) == 0 {
			return fault.Missing()
		}
		people, err := loadPeople(ctx, tx, ids)
		if err != nil {
			return err
		}
		seats := make([]Seat, len(ids))
		for i, p := range ids {
			seats[i] = Seat{Person: p, Group: id, Role: membership.Member}
		}
		return u.join(ctx, tx, people, groups, seats)
	})
}

// Dismiss takes the seats as member in a group from people: all of them or, when
// a person is unknown, none.
func (u *Memberships) Dismiss(ctx context.Context, a Actor, id group.ID, ids []person.ID) error {
	return u.store.InTx(ctx, a.school, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.Groups.Find(ctx, id); err != nil {
			return err
		}
		if _, err := loadPeople(ctx, tx, ids); err != nil {
			return err
		}
		_, err := tx.Memberships.Remove(ctx, id, membership.Member, ids)
		return err
	})
}

// seated returns the person and the groups of seats. The groups come first, as
// in every operation on both, so that no two wait for each other; that the
// person does not exist is told first all the same.
func seated(ctx context.Context, tx ports.Tx, id person.ID, seats []Seat) (person.Person, map[group.ID]group.Group, error) {
	ids := groupsOf(seats)
	found, errGroups := tx.Groups.Load(ctx, ids)
	p, err := tx.People.Find(ctx, id)
	if err != nil {
		return person.Person{}, nil, err
	}
	groups, err := complete(found, errGroups, ids)
	return p, groups, err
}

// owned returns seats as those of one person.
func owned(id person.ID, seats []Seat) []Seat {
	mine := make([]Seat, len(seats))
	for i, s := range seats {
		mine[i] = Seat{Person: id, Group: s.Group, Role: s.Role}
	}
	return mine
}

func groupsOf(seats []Seat) []group.ID {
	ids := make([]group.ID, len(seats))
	for i, s := range seats {
		ids[i] = s.Group
	}
	return ids
}
