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
	"lyceum/domain/person"
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
	s, err := u.deps.Read(a).School.Get(ctx)
	if err != nil {
		return ImportResult{}, err
	}
	file, err := im.Open()
	if err != nil {
		return ImportResult{}, err
	}
	rows, properties, err := readPeople(file)
	_ = file.Close() // the file was only read, so the error does not matter
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
		if err := lockDefinitions(ctx, tx, rows, properties); err != nil {
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
			return c.faults.sorted()
		}
		return nil
	})
	return ImportResult{s.State(), []ImportCount{c.count}}, err
}

// csvBatch is the number of rows that are looked up and saved at once.
const csvBatch = 1000

// A csvImport is an import of people.
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

// refuse collects the faults of a row. It returns any other error, with the line number.
func (c *csvImport) refuse(row personRow, err error) error {
	if !fault.IsRefusal(err) {
		return atLine(row.line, "", err)
	}
	if len(c.faults) < maxImportFaults {
		c.faults = append(c.faults, LineError{row.line, "", err})
	}
	return nil
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
		if _, ok := c.groups.ByID[id]; !ok { // the group was deleted after IDsByName
			delete(c.byName, name)
		}
	}
	return nil
}

// findPeople locks the people of all rows in one call. Separate calls would lock them in the order
// of the file instead of the order that all transactions use.
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
