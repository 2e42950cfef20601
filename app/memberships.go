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

// Memberships lists, adds and removes memberships.
type Memberships struct{ deps usecase.Deps }

// GroupRole is a role in a group.
type GroupRole struct {
	Group group.ID
	Role  membership.Role
}

// ListOf returns a page of the memberships of a group, of both roles.
func (u *Memberships) ListOf(ctx context.Context, a Actor, id group.ID, q query.Query) (query.Result[membership.Membership], error) {
	r := u.deps.Read(a)
	return listOf(ctx, id, r.Groups.Get, r.Memberships.List, membership.Schema.Attr("group.id"), q)
}

// Get returns the membership with the given id, or NotFound if it does not exist.
func (u *Memberships) Get(ctx context.Context, a Actor, id membership.ID) (membership.Membership, error) {
	return u.deps.Read(a).Memberships.Get(ctx, id)
}

// Delete deletes one membership. The person stays enrolled in the group's courses.
func (u *Memberships) Delete(ctx context.Context, a Actor, id membership.ID) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		return admission.EndMembership(ctx, u.deps, tx, a, id)
	})
}

// Join gives a person roles in groups. If a group does not exist or a rule refuses a role, the
// person gets no role. Join ignores existing roles.
func (u *Memberships) Join(ctx context.Context, a Actor, id person.ID, roles []GroupRole) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		ids, named := groupRoles(id, roles)
		groups, err := admission.LockGroups(ctx, u.deps.Policies.Living, tx, ids)
		if err != nil {
			return err
		}
		p, err := personIn(ctx, tx, id, groups.ByID, ids)
		if err != nil {
			return err
		}
		return join(ctx, u.deps, tx, a, groups, map[person.ID]person.Person{id: p}, named)
	})
}

func join(
	ctx context.Context, d usecase.Deps, tx ports.Tx, a Actor, groups *admission.Groups, people map[person.ID]person.Person,
	roles []admission.GroupRole,
) error {
	j, err := admission.NewJoining(ctx, d, tx, a, groups, people)
	if err != nil {
		return err
	}
	if err := admission.AtRows(j.Row(roles)); err != nil {
		return err
	}
	return j.Save(ctx, tx)
}

// Leave removes roles of a person in groups. If a group does not exist or a rule refuses a removal,
// Leave removes none. The person stays enrolled in the groups' courses.
func (u *Memberships) Leave(ctx context.Context, a Actor, id person.ID, roles []GroupRole) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		ids, named := groupRoles(id, roles)
		groups, err := admission.LockGroupsAlone(ctx, u.deps.Policies.Living, tx, ids)
		if err != nil {
			return err
		}
		p, err := personIn(ctx, tx, id, groups.ByID, ids)
		if err != nil {
			return err
		}
		return admission.Leave(ctx, u.deps, tx, a,
			map[person.ID]person.Person{id: p}, groups, named)
	})
}

// AddPeople makes people members of a group. If a person does not exist or a rule refuses a person,
// AddPeople adds none. It ignores existing members.
func (u *Memberships) AddPeople(ctx context.Context, a Actor, id group.ID, ids []person.ID) error {
	return u.addPeople(ctx, a, id, membership.Member, ids)
}

// AddManagers is like AddPeople, but for managers.
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
			return fault.RecordNotFound()
		}
		people, err := usecase.GetAllForShare(ctx, tx.People, ids)
		if err != nil {
			return err
		}
		return join(ctx, u.deps, tx, a, groups, people, admission.RolesIn(id, as, ids))
	})
}

// RemovePeople removes members from a group. If a person does not exist or a rule refuses a
// removal, RemovePeople removes none.
func (u *Memberships) RemovePeople(ctx context.Context, a Actor, id group.ID, ids []person.ID) error {
	return u.removePeople(ctx, a, id, membership.Member, ids)
}

// RemoveManagers is like RemovePeople, but for managers.
func (u *Memberships) RemoveManagers(ctx context.Context, a Actor, id group.ID, ids []person.ID) error {
	return u.removePeople(ctx, a, id, membership.Manager, ids)
}

func (u *Memberships) removePeople(ctx context.Context, a Actor, id group.ID, as membership.Role, ids []person.ID) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		groups, err := admission.LockGroupsAlone(ctx, u.deps.Policies.Living, tx, []group.ID{id})
		if err != nil {
			return err
		}
		if len(groups.ByID) == 0 {
			return fault.RecordNotFound()
		}
		people, err := usecase.GetAllForShare(ctx, tx.People, ids)
		if err != nil {
			return err
		}
		return admission.Leave(ctx, u.deps, tx, a, people, groups, admission.RolesIn(id, as, ids))
	})
}

// personIn locks the person id for update and returns the person. It returns NotFound if the person
// does not exist, and otherwise a fault for each of ids that is not in found, the groups that the
// caller has locked. Groups must be locked before people to avoid deadlocks.
func personIn(
	ctx context.Context, tx ports.Tx, id person.ID, found map[group.ID]group.Group, ids []group.ID,
) (person.Person, error) {
	p, err := tx.People.GetForUpdate(ctx, id)
	if err != nil {
		return person.Person{}, err
	}
	return p, usecase.CheckAll(found, ids)
}

// groupRoles returns the group IDs of roles, and roles converted to roles of the person p.
func groupRoles(p person.ID, roles []GroupRole) ([]group.ID, []admission.GroupRole) {
	ids, named := make([]group.ID, len(roles)), make([]admission.GroupRole, len(roles))
	for i, r := range roles {
		ids[i], named[i] = r.Group, admission.GroupRole{Person: p, In: r.Group, Role: r.Role}
	}
	return ids, named
}
