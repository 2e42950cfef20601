package bulk

import (
	"context"
	"errors"
	"maps"
	"slices"

	"lyceum/app/admission"
	"lyceum/app/usecase"
	"lyceum/domain/bulk"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/property"
	"lyceum/domain/text"
	"lyceum/ports"
)

// personRow is a row about a person who joins groups.
type personRow = targetRow[group.ID]

// applyPeople adds and invites the missing people, sets the properties of all people, and adds them
// to the groups.
//
// Locks are taken in one order, so that parts cannot deadlock: the school if a rule counts its
// people, definitions of properties, groups by their IDs, new addresses by their keys, people by
// their IDs. The rules are checked before people are added, so that a refused person is not added,
// and again when the people are locked.
func (u *Bulk) applyPeople(ctx context.Context, tx ports.Tx, a usecase.Actor, rows []bulk.Row) (map[int]error, error) {
	refused := map[int]error{}
	now := u.deps.Clock.Now()
	creations, err := admission.NewCreations(ctx, u.deps, u.deps.Policies.Living, tx.School, a, now, true)
	if err != nil {
		return nil, err
	}
	defined, err := defineProperties(ctx, tx, property.People, rows)
	if err != nil {
		return nil, err
	}
	all, groups, err := u.lockRowGroups(ctx, tx, rows, refused)
	if err != nil {
		return nil, err
	}
	people, isNew, err := u.matchPeople(ctx, tx, all, refused)
	if err != nil {
		return nil, err
	}
	all = withoutRefused(all, refused)
	d := personDecisions{people: people, defined: defined, now: now}
	if d.joining, err = admission.NewJoining(ctx, u.deps, tx, a, groups, d.byID()); err != nil {
		return nil, err
	}
	if err := checkSize(all, people, d.joining); err != nil {
		return nil, err
	}
	created, _ := d.decideAll(all, creations, isNew, refused)
	d.joining.GiveBackAll() // decided again below
	all = withoutRefused(all, refused)
	added, err := addPeople(ctx, tx, all, people, created)
	if err != nil {
		return nil, err
	}
	if d.joining, err = admission.NewJoining(ctx, u.deps, tx, a, groups, d.byID()); err != nil {
		return nil, err
	}
	_, changed := d.decideAll(all, creations, nil, refused)
	for _, id := range usecase.InLockOrder(maps.Keys(changed)) {
		u.useAllowance(a, changed[id].State().Properties)
		if err := tx.People.Save(ctx, changed[id]); err != nil {
			return nil, err
		}
	}
	if err := creations.Invite(ctx, u.deps, tx, added, now); err != nil {
		return nil, err
	}
	maps.DeleteFunc(refused, func(_ int, err error) bool { return errors.Is(err, policy.NoEffect) })
	return refused, d.joining.Save(ctx, tx)
}

// checkSize returns a tooManyError for the row at which the total number of enrollments to add
// exceeds partEnrollments, or nil. It never reports the first row.
func checkSize(all []personRow, people map[string]person.Person, j *admission.Joining) error {
	sum := 0
	for i, r := range all {
		sum += j.Enrollments(rolesOf(r, people[r.key].State().ID))
		if i > 0 && sum > partEnrollments {
			return &tooManyError{r.Number}
		}
	}
	return nil
}

// lockRowGroups locks the groups of all rows. It returns the groups and the rows whose groups all
// exist, and refuses the other rows.
func (u *Bulk) lockRowGroups(
	ctx context.Context, tx ports.Tx, rows []bulk.Row, refused map[int]error,
) ([]personRow, *admission.Groups, error) {
	byName, err := tx.Groups.IDsByName(ctx, targetNames(rows))
	if err != nil {
		return nil, nil, err
	}
	groups, err := admission.LockGroups(ctx, u.deps.Policies.Living, tx, slices.Collect(maps.Values(byName)))
	if err != nil {
		return nil, nil, err
	}
	idOf := func(name string) group.ID { return byName[text.UniqueKey(name)] }
	return resolveTargets(bulk.People, rows, idOf, groups.ByID, refused), groups, nil
}
