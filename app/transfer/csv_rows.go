package transfer

import (
	"context"

	"lyceum/app/admission"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/text"
	"lyceum/ports"
)

// importRows imports a batch of rows.
func (c *csvImport) importRows(ctx context.Context, tx ports.Tx, rows []personRow) error {
	var added []person.Person
	ids, people := make([]person.ID, len(rows)), make(map[person.ID]person.Person, len(rows))
	for i, r := range rows {
		if p, ok := c.known[text.UniqueKey(r.profile.Email)]; ok {
			if err := c.update(ctx, tx, r, &p); err != nil {
				return err
			}
			ids[i] = p.State().ID
			people[ids[i]] = p
			continue
		}
		p, err := person.New(person.ID{UUID: c.deps.IDs.New()}, r.profile, c.now)
		effect := false
		if err == nil {
			effect, err = policy.Effect(c.creations.Decide(p.State()))
		}
		if err != nil {
			if err := c.refuse(r, err); err != nil {
				return err
			}
			continue
		}
		if !effect {
			c.count.Unchanged++
			continue
		}
		ids[i], added = p.State().ID, append(added, p)
		people[ids[i]] = p
		c.count.Created++
	}
	if len(c.faults) == 0 { // after a fault, the other rows are only checked
		if err := c.add(ctx, tx, added); err != nil {
			return err
		}
	}
	return c.join(ctx, tx, rows, ids, people)
}

// update updates p, which must be locked, from a row, and saves p if it has changed.
func (c *csvImport) update(ctx context.Context, tx ports.Tx, r personRow, p *person.Person) error {
	changed, err := c.creations.Change(p, r.changes, c.now)
	switch {
	case err != nil:
		return c.refuse(r, err)
	case !changed:
		c.count.Unchanged++
		return nil
	}
	c.count.Changed++
	return tx.People.Save(ctx, *p)
}

// add adds new people and invites them.
func (c *csvImport) add(ctx context.Context, tx ports.Tx, people []person.Person) error {
	if len(people) == 0 {
		return nil
	}
	s := c.creations.School()
	if err := s.CheckLearnerCreation(); err != nil {
		return err
	}
	added, err := tx.People.AddIfAbsent(ctx, people)
	if err != nil {
		return err
	}
	if len(added) < len(people) { // another transaction has added a person
		return ports.ErrChanged
	}
	return c.creations.Invite(ctx, c.deps, tx, added, c.now)
}

// join adds people to the groups of their rows. A zero ids[i] means that rows[i] was refused or has
// no effect; join then only checks that its groups exist.
func (c *csvImport) join(
	ctx context.Context, tx ports.Tx, rows []personRow, ids []person.ID, people map[person.ID]person.Person,
) error {
	rolesOfRow := make([][]admission.GroupRole, len(rows))
	for i, r := range rows {
		for _, name := range r.groups {
			id, ok := c.byName[text.UniqueKey(name)]
			switch {
			case !ok:
				if err := c.refuse(r, fault.Invalidf(groupsColumn, "no group is named %q", name)); err != nil {
					return err
				}
			case ids[i] != (person.ID{}):
				rolesOfRow[i] = append(rolesOfRow[i], admission.GroupRole{Person: ids[i], In: id, Role: membership.Member})
			}
		}
	}
	return c.joinRows(ctx, tx, rows, rolesOfRow, people)
}

// joinRows gives the people of rows their roles. It saves them in batches, so that at most
// enrollment.MaxAdded enrollments are in memory. After a fault it only checks the other rows.
func (c *csvImport) joinRows(
	ctx context.Context, tx ports.Tx, rows []personRow, rolesOfRow [][]admission.GroupRole,
	people map[person.ID]person.Person,
) error {
	j, err := admission.NewJoining(ctx, c.deps, tx, c.actor, c.groups, people)
	if err != nil {
		return err
	}
	save := func() error {
		if len(c.faults) > 0 {
			return nil
		}
		return j.Save(ctx, tx)
	}
	unsaved := 0 // number of enrollments
	for i, roles := range rolesOfRow {
		n := j.Enrollments(roles)
		if unsaved > 0 && unsaved+n > enrollment.MaxAdded {
			if err := save(); err != nil {
				return err
			}
			if j, err = admission.NewJoining(ctx, c.deps, tx, c.actor, c.groups, people); err != nil {
				return err
			}
			unsaved = 0
		}
		unsaved += n
		if err := fault.Join(j.Row(roles)...); err != nil {
			if err := c.refuse(rows[i], fault.OnField(groupsColumn, err)); err != nil {
				return err
			}
		}
	}
	return save()
}
