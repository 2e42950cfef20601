package transfer

import (
	"context"
	"maps"
	"slices"
	"time"

	"lyceum/app/admission"
	"lyceum/app/transfer/format"
	"lyceum/app/usecase"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/text"
	"lyceum/ports"
)

// ImportPeople imports people from CSV into the actor's school, in one transaction. New people are
// added, and invited if invite is set; existing people are updated. Each person joins the groups of
// their row and is enrolled in the courses of these groups. Nothing is removed. Faults of the file
// are returned as ImportErrors.
func (u *Transfers) ImportPeople(ctx context.Context, a usecase.Actor, im Import, invite bool) (ImportResult, error) {
	if im.DryRun {
		a = a.DryRun()
	}
	s, err := u.deps.Store.Read(a.School()).School.Get(ctx)
	if err != nil {
		return ImportResult{}, err
	}
	file, err := im.Open()
	if err != nil {
		return ImportResult{}, err
	}
	rows, err := readPeople(file)
	_ = file.Close() // only read
	if err != nil {
		return ImportResult{}, err
	}
	if !im.Policies.asks(false) {
		u = u.without()
	}
	c := csvImport{Transfers: u, actor: a}
	err = u.deps.InLongTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		c.now, c.count, c.faults = u.deps.Clock.Now(), ImportCount{Kind: format.PersonKind}, nil
		if c.creations, err = admission.NewCreations(ctx, u.deps, u.deps.Policies.Living, tx.School, a, c.now, invite); err != nil {
			return err
		}
		if err := c.findGroups(ctx, tx, rows); err != nil {
			return err
		}
		if err := c.findPeople(ctx, tx, rows); err != nil {
			return err
		}
		for batch := range slices.Chunk(rows, csvBatch) {
			if err := c.importRows(ctx, tx, batch); err != nil {
				return err
			}
			if im.Progress != nil {
				im.Progress(c.count.Created+c.count.Changed+c.count.Unchanged, true)
			}
		}
		if len(c.faults) > 0 {
			return c.faults
		}
		return nil
	})
	return ImportResult{s.State(), []ImportCount{c.count}}, err
}

// csvBatch is the number of rows that are looked up and saved at once.
const csvBatch = 1000

// A csvImport is one import of people.
type csvImport struct {
	*Transfers
	actor  usecase.Actor
	now    time.Time
	byName map[string]group.ID
	groups *admission.Groups
	known  map[string]person.Person // by unique key of the email address
	count  ImportCount
	faults ImportErrors

	creations *admission.Creations
}

func (c *csvImport) refuse(row personRow, err error) {
	if len(c.faults) < maxImportFaults {
		c.faults = append(c.faults, LineError{row.line, "", err})
	}
}

// findGroups locks the groups of all rows. Groups are locked before people.
func (c *csvImport) findGroups(ctx context.Context, tx ports.Tx, rows []personRow) error {
	names := map[string]bool{}
	for _, r := range rows {
		for _, name := range r.groups {
			names[name] = true
		}
	}
	var err error
	if c.byName, err = tx.Groups.IDsByName(ctx, slices.Collect(maps.Keys(names))); err != nil {
		return err
	}
	c.groups, err = admission.LockGroups(ctx, c.deps.Policies.Living, tx, slices.Collect(maps.Values(c.byName)))
	if err != nil {
		return err
	}
	for name, id := range c.byName {
		if _, ok := c.groups.ByID[id]; !ok { // deleted since IDsByName
			delete(c.byName, name)
		}
	}
	return nil
}

// findPeople locks the people of all rows at once. Row by row they would be locked in the order of
// the file instead of the global lock order.
func (c *csvImport) findPeople(ctx context.Context, tx ports.Tx, rows []personRow) error {
	var ids []person.ID
	for batch := range slices.Chunk(rows, csvBatch) {
		emails := make([]string, len(batch))
		for i, r := range batch {
			emails[i] = r.profile.Email
		}
		found, err := tx.People.ByEmail(ctx, emails)
		if err != nil {
			return err
		}
		for _, p := range found {
			ids = append(ids, p.State().ID)
		}
	}
	people, err := tx.People.GetManyForShare(ctx, ids)
	if err != nil {
		return err
	}
	c.known = make(map[string]person.Person, len(people))
	for _, p := range people {
		c.known[text.UniqueKey(p.State().Email)] = p
	}
	return nil
}

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
		if err != nil {
			c.refuse(r, err)
			continue
		}
		effect, err := policy.Effect(c.creations.Decide(p.State()))
		if err != nil {
			c.refuse(r, err)
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
	if len(c.faults) > 0 { // the other rows are only checked
		return c.join(ctx, tx, rows, nil, nil)
	}
	if err := c.add(ctx, tx, added); err != nil {
		return err
	}
	return c.join(ctx, tx, rows, ids, people)
}

// update updates p, which is locked, from a row.
func (c *csvImport) update(ctx context.Context, tx ports.Tx, r personRow, p *person.Person) error {
	changed, err := p.Update(r.changes, c.now)
	switch {
	case err != nil:
		c.refuse(r, err)
		return nil
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
	if len(added) < len(people) { // another transaction has added one
		return ports.ErrChanged
	}
	return c.creations.Invite(ctx, c.deps, tx, added, c.now)
}

// join adds people to the groups of their rows. If people is nil, it only checks that the groups
// exist.
func (c *csvImport) join(
	ctx context.Context, tx ports.Tx, rows []personRow, ids []person.ID, people map[person.ID]person.Person,
) error {
	rolesOfRow := make([][]admission.GroupRole, len(rows))
	for i, r := range rows {
		for _, name := range r.groups {
			id, ok := c.byName[text.UniqueKey(name)]
			switch {
			case !ok:
				c.refuse(r, fault.Invalidf(groupsColumn, "no group is named %q", name))
			case people != nil && ids[i] != (person.ID{}):
				rolesOfRow[i] = append(rolesOfRow[i], admission.GroupRole{Person: ids[i], In: id, Role: membership.Member})
			}
		}
	}
	if len(c.faults) > 0 {
		return nil
	}
	return c.joinRows(ctx, tx, rows, rolesOfRow, people)
}

// joinRows gives the people of rows their roles. It saves them before there are more than
// enrollment.MaxAdded enrollments in memory.
func (c *csvImport) joinRows(
	ctx context.Context, tx ports.Tx, rows []personRow, rolesOfRow [][]admission.GroupRole,
	people map[person.ID]person.Person,
) error {
	j, err := admission.NewJoining(ctx, c.deps, tx, c.actor, c.groups, people)
	if err != nil {
		return err
	}
	unsaved := 0 // enrollments
	for i, roles := range rolesOfRow {
		n := j.Enrollments(roles)
		if unsaved > 0 && unsaved+n > enrollment.MaxAdded {
			if err := j.Save(ctx, tx); err != nil {
				return err
			}
			if j, err = admission.NewJoining(ctx, c.deps, tx, c.actor, c.groups, people); err != nil {
				return err
			}
			unsaved = 0
		}
		unsaved += n
		if err := fault.Join(j.Row(roles)...); err != nil {
			c.refuse(rows[i], fault.OnField(groupsColumn, err))
		}
	}
	return j.Save(ctx, tx)
}
