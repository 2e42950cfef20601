package transfer

import (
	"context"
	"maps"
	"slices"
	"time"

	"lyceum/app/admission"
	"lyceum/app/transfer/format"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/text"
	"lyceum/ports"
)

// ImportPeople brings people as CSV into the actor's school, all or nothing: who
// is new is added, and invited when that is asked for, who is known is made as the
// file says, and everybody joins the groups of their row, and so their courses.
// Nobody leaves a group. A file with faults is refused with ImportErrors.
func (u *Transfers) ImportPeople(ctx context.Context, a usecase.Actor, im Import, invite bool) (Imported, error) {
	if im.DryRun {
		a = a.DryRun()
	}
	s, err := u.deps.Store.Read(a.School()).School.Get(ctx)
	if err != nil {
		return Imported{}, err
	}
	file, err := im.Open()
	if err != nil {
		return Imported{}, err
	}
	rows, err := readPeople(file)
	_ = file.Close() // it was only read
	if err != nil {
		return Imported{}, err
	}
	c := csvImport{Transfers: u, invites: invite}
	err = u.deps.InLongTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		c.now, c.done, c.faults = u.deps.Clock.Now(), ImportedKind{Kind: format.PersonKind}, nil
		if c.creations, err = admission.NewCreations(ctx, u.deps.Policies.Living, tx.School, invite); err != nil {
			return err
		}
		if err := c.findGroups(ctx, tx, rows); err != nil {
			return err
		}
		if err := c.findPeople(ctx, tx, rows); err != nil {
			return err
		}
		for batch := range slices.Chunk(rows, csvBatch) {
			if err := c.take(ctx, tx, batch); err != nil {
				return err
			}
			if im.Told != nil {
				im.Told(c.done.Created+c.done.Changed+c.done.Unchanged, true)
			}
		}
		if len(c.faults) > 0 {
			return c.faults
		}
		return nil
	})
	return Imported{s.State(), []ImportedKind{c.done}}, err
}

// csvBatch is how many rows are looked up and kept at once.
const csvBatch = 1000

// csvImport is an import of people on its way.
type csvImport struct {
	*Transfers
	invites bool
	now     time.Time
	byName  map[string]group.ID
	groups  *admission.Groups
	known   map[string]person.Person // by the text.Key of the address
	done    ImportedKind
	faults  ImportErrors

	creations *admission.Creations
}

func (c *csvImport) refuse(row personRow, err error) {
	if len(c.faults) < importFaultsTold {
		c.faults = append(c.faults, LineFault{row.line, "", err})
	}
}

// findGroups locks the groups of all rows, which comes before people are locked.
func (c *csvImport) findGroups(ctx context.Context, tx ports.Tx, rows []personRow) error {
	names := map[string]bool{}
	for _, r := range rows {
		for _, name := range r.groups {
			names[name] = true
		}
	}
	var err error
	if c.byName, err = tx.Groups.ByName(ctx, slices.Collect(maps.Keys(names))); err != nil {
		return err
	}
	c.groups, err = admission.LockGroups(ctx, c.deps.Policies.Living, tx, slices.Collect(maps.Values(c.byName)))
	if err != nil {
		return err
	}
	for name, id := range c.byName {
		if _, ok := c.groups.ByID[id]; !ok { // it was deleted meanwhile
			delete(c.byName, name)
		}
	}
	return nil
}

// findPeople locks the people of all rows together: one after the other they would
// be locked in the order of the file, and not in that of other transactions.
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
	people, err := tx.People.Load(ctx, ids)
	if err != nil {
		return err
	}
	c.known = make(map[string]person.Person, len(people))
	for _, p := range people {
		c.known[text.Key(p.State().Email)] = p
	}
	return nil
}

// take brings some rows.
func (c *csvImport) take(ctx context.Context, tx ports.Tx, rows []personRow) error {
	var fresh []person.Person
	ids, people := make([]person.ID, len(rows)), make(map[person.ID]person.Person, len(rows))
	for i, r := range rows {
		if p, ok := c.known[text.Key(r.profile.Email)]; ok {
			if err := c.change(ctx, tx, r, &p); err != nil {
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
		if err := c.creations.Decide(p.State()); err != nil {
			c.refuse(r, err)
			continue
		}
		ids[i], fresh = p.State().ID, append(fresh, p)
		people[ids[i]] = p
		c.done.Created++
	}
	if len(c.faults) > 0 { // the rest is only looked at
		return c.join(ctx, tx, rows, nil, nil)
	}
	if err := c.add(ctx, tx, fresh); err != nil {
		return err
	}
	return c.join(ctx, tx, rows, ids, people)
}

// change makes p, who is locked, as a row says.
func (c *csvImport) change(ctx context.Context, tx ports.Tx, r personRow, p *person.Person) error {
	changed, err := p.Edit(r.edit, c.now)
	switch {
	case err != nil:
		c.refuse(r, err)
		return nil
	case !changed:
		c.done.Unchanged++
		return nil
	}
	c.done.Changed++
	return tx.People.Save(ctx, *p)
}

// add keeps new people and invites them.
func (c *csvImport) add(ctx context.Context, tx ports.Tx, fresh []person.Person) error {
	if len(fresh) == 0 {
		return nil
	}
	s := c.creations.School()
	if err := s.CheckLearnerCreation(); err != nil {
		return err
	}
	added, err := tx.People.AddIfAbsent(ctx, fresh)
	if err != nil {
		return err
	}
	if len(added) < len(fresh) { // somebody else was faster
		return ports.ErrChanged
	}
	if !c.invites {
		return nil
	}
	return admission.InviteAll(ctx, c.deps, tx, s, added, c.now)
}

// join lets people join the groups of their rows, or only looks whether these
// exist when people is nil.
func (c *csvImport) join(
	ctx context.Context, tx ports.Tx, rows []personRow, ids []person.ID, people map[person.ID]person.Person,
) error {
	rolesOfRow := make([][]admission.Role, len(rows))
	for i, r := range rows {
		for _, name := range r.groups {
			id, ok := c.byName[text.Key(name)]
			switch {
			case !ok:
				c.refuse(r, fault.Invalidf(groupsColumn, "there is no group %q", name))
			case people != nil:
				rolesOfRow[i] = append(rolesOfRow[i], admission.Role{Person: ids[i], Group: id, Role: membership.Member})
			}
		}
	}
	if len(c.faults) > 0 {
		return nil
	}
	j, err := admission.NewJoining(ctx, c.deps, tx, c.groups, people)
	if err != nil {
		return err
	}
	for i, roles := range rolesOfRow {
		if err := fault.Join(j.Row(roles)...); err != nil {
			c.refuse(rows[i], fault.At(groupsColumn, err))
		}
	}
	return j.Save(ctx, tx)
}
