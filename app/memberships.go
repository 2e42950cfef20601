package app

import (
	"context"

	"lyceum/app/admission"
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
		return admission.End(ctx, u.deps.Policies.Living, tx, id)
	})
}

// Join gives a person roles in groups: all of them or, when a group is unknown
// or a rule refuses one, none. Roles that the person has already stay.
func (u *Memberships) Join(ctx context.Context, a Actor, id person.ID, seats []Seat) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		ids := groupsIn(seats)
		groups, err := admission.LockGroups(ctx, u.deps.Policies.Living, tx, ids)
		if err != nil {
			return err
		}
		p, err := personIn(ctx, tx, id, groups.ByID, ids)
		if err != nil {
			return err
		}
		return join(ctx, u.deps, tx, groups, map[person.ID]person.Person{id: p}, rolesIn(id, seats))
	})
}

// join gives people roles in groups, all of them or, when a rule refuses one, none.
func join(
	ctx context.Context, d usecase.Deps, tx ports.Tx, groups *admission.Groups, people map[person.ID]person.Person,
	roles []admission.Role,
) error {
	j, err := admission.NewJoining(ctx, d, tx, groups, people)
	if err != nil {
		return err
	}
	if err := admission.AtRows(j.Row(roles)); err != nil {
		return err
	}
	return j.Save(ctx, tx)
}

// Leave takes roles in groups from a person: all of them or, when a group is
// unknown or a rule refuses one, none. What the person learns in the groups' courses
// stays.
func (u *Memberships) Leave(ctx context.Context, a Actor, id person.ID, seats []Seat) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		ids := groupsIn(seats)
		groups, err := tx.Groups.Load(ctx, ids)
		if err != nil {
			return err
		}
		p, err := personIn(ctx, tx, id, groups, ids)
		if err != nil {
			return err
		}
		return admission.Leave(ctx, u.deps.Policies.Living, tx,
			map[person.ID]person.Person{id: p}, groups, rolesIn(id, seats))
	})
}

// AddPeople makes people members of a group: all of them or, when a person is unknown
// or a rule refuses one, none.
func (u *Memberships) AddPeople(ctx context.Context, a Actor, id group.ID, ids []person.ID) error {
	return u.addPeople(ctx, a, id, membership.Member, ids)
}

// AddManagers is AddPeople for managers.
func (u *Memberships) AddManagers(ctx context.Context, a Actor, id group.ID, ids []person.ID) error {
	return u.addPeople(ctx, a, id, membership.Manager, ids)
}

func (u *Memberships) addPeople(ctx context.Context, a Actor, id group.ID, as membership.Role, ids []person.ID) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		groups, err := admission.LockGroups(ctx, u.deps.Policies.Living, tx, []group.ID{id})
		if err != nil {
			return err
		}
		if len(groups.ByID) == 0 {
			return fault.Missing()
		}
		people, err := usecase.LoadPeople(ctx, tx, ids)
		if err != nil {
			return err
		}
		return join(ctx, u.deps, tx, groups, people, rolesOf(id, as, ids))
	})
}

// RemovePeople ends the memberships of people as member in a group: all of them or,
// when a person is unknown or a rule refuses one, none.
func (u *Memberships) RemovePeople(ctx context.Context, a Actor, id group.ID, ids []person.ID) error {
	return u.removePeople(ctx, a, id, membership.Member, ids)
}

// RemoveManagers is RemovePeople for memberships as manager.
func (u *Memberships) RemoveManagers(ctx context.Context, a Actor, id group.ID, ids []person.ID) error {
	return u.removePeople(ctx, a, id, membership.Manager, ids)
}

func (u *Memberships) removePeople(ctx context.Context, a Actor, id group.ID, as membership.Role, ids []person.ID) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		groups, err := tx.Groups.Load(ctx, []group.ID{id})
		if err != nil {
			return err
		}
		if len(groups) == 0 {
			return fault.Missing()
		}
		people, err := usecase.LoadPeople(ctx, tx, ids)
		if err != nil {
			return err
		}
		return admission.Leave(ctx, u.deps.Policies.Living, tx, people, groups, rolesOf(id, as, ids))
	})
}

// personIn returns the person id, unless one of the groups ids is not among those that
// were found. The groups are locked first, as in every operation on both, so that no
// two transactions wait for each other; a missing person is reported before a missing
// group.
func personIn(
	ctx context.Context, tx ports.Tx, id person.ID, found map[group.ID]group.Group, ids []group.ID,
) (person.Person, error) {
	p, err := tx.People.Find(ctx, id)
	if err != nil {
		return person.Person{}, err
	}
	_, err = usecase.Complete(found, nil, ids)
	return p, err
}

func groupsIn(seats []Seat) []group.ID {
	ids := make([]group.ID, len(seats))
	for i, s := range seats {
		ids[i] = s.Group
	}
	return ids
}

// rolesIn returns the roles of a person in groups.
func rolesIn(id person.ID, seats []Seat) []admission.Role {
	roles := make([]admission.Role, len(seats))
	for i, s := range seats {
		roles[i] = admission.Role{Person: id, Group: s.Group, Role: s.Role}
	}
	return roles
}

// rolesOf returns the roles of people in a group.
func rolesOf(id group.ID, as membership.Role, people []person.ID) []admission.Role {
	roles := make([]admission.Role, len(people))
	for i, p := range people {
		roles[i] = admission.Role{Person: p, Group: id, Role: as}
	}
	return roles
}
