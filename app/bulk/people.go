package bulk

import (
	"context"
	"errors"
	"maps"
	"slices"

	"lyceum/app/admission"
	"lyceum/domain/bulk"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/text"
	"lyceum/ports"
)

// personRow is a row about a person who joins groups.
type personRow = targetRow[group.ID]

// applyPeople adds and invites the missing people, and adds all people to the groups.
//
// Locks are taken in one order, so that parts cannot deadlock: the school if a rule counts its
// people, groups by their IDs, new addresses by their keys, people by their IDs. The rules are
// asked before people are added, so that a refused person is not added, and again once the people
// are locked.
func (u *Bulk) applyPeople(ctx context.Context, tx ports.Tx, rows []bulk.Row) (map[int]error, error) {
	refused := map[int]error{}
	creations, err := admission.NewCreations(ctx, u.deps, u.deps.Policies.Living, tx.School, jobActor, u.deps.Clock.Now(), true)
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
	j, err := admission.NewJoining(ctx, u.deps, tx, jobActor, groups, byID(people))
	if err != nil {
		return nil, err
	}
	if err := checkSize(all, people, j); err != nil {
		return nil, err
	}
	admitted := map[string]bool{} // new people, by key
	for _, r := range all {
		if isNew[r.key] && !admitted[r.key] {
			err = decideCreation(creations, j, r, people[r.key].State())
			admitted[r.key] = err == nil
		} else {
			err = decideJoin(j, r, people[r.key].State().ID)
		}
		if err != nil {
			refused[r.Number] = err
		}
	}
	j.GiveBackAll() // decided again below
	all = withoutRefused(all, refused)
	added, err := addPeople(ctx, tx, all, people, isNew)
	if err != nil {
		return nil, err
	}
	if j, err = admission.NewJoining(ctx, u.deps, tx, jobActor, groups, byID(people)); err != nil {
		return nil, err
	}
	for _, r := range all {
		if err := decideJoin(j, r, people[r.key].State().ID); err != nil {
			refused[r.Number] = err
		}
	}
	if err := creations.Invite(ctx, u.deps, tx, added, u.deps.Clock.Now()); err != nil {
		return nil, err
	}
	maps.DeleteFunc(refused, func(_ int, err error) bool { return errors.Is(err, policy.NoEffect) })
	return refused, j.Save(ctx, tx)
}

// decideCreation returns the verdict on a row about the new person p; nil if the row is granted.
func decideCreation(creations *admission.Creations, j *admission.Joining, r personRow, p person.State) error {
	errPerson := fault.AtBlank("email", creations.Decide(p))
	if errors.Is(errPerson, policy.NoEffect) {
		return errPerson
	}
	errGroups := decideJoin(j, r, p.ID)
	switch {
	case errPerson != nil && errGroups == nil:
		j.GiveBack()
	case errPerson == nil && errGroups != nil:
		creations.GiveBack()
	}
	return fault.Join(errPerson, errGroups)
}

// decideJoin returns the refusal of the memberships of a row's person, or nil.
func decideJoin(j *admission.Joining, r personRow, id person.ID) error {
	fields := make([]string, len(r.ids))
	for i := range r.ids {
		fields[i] = r.Targets[i].Field
	}
	return atFields(fields, j.Row(rolesOf(r, id)))
}

// rolesOf returns the roles that the person of a row gets.
func rolesOf(r personRow, id person.ID) []admission.GroupRole {
	roles := make([]admission.GroupRole, len(r.ids))
	for i, g := range r.ids {
		roles[i] = admission.GroupRole{Person: id, In: g, Role: membership.Member}
	}
	return roles
}

// checkSize returns a tooManyError if the rows together add too many enrollments. A row that adds too
// many by itself is refused by Joining.
func checkSize(all []personRow, people map[string]person.Person, j *admission.Joining) error {
	sum := 0
	for i, r := range all {
		sum += j.Enrollments(rolesOf(r, people[r.key].State().ID))
		if i > 0 && sum > enrollment.MaxAdded {
			return &tooManyError{r.Number}
		}
	}
	return nil
}

func byID(people map[string]person.Person) map[person.ID]person.Person {
	all := make(map[person.ID]person.Person, len(people))
	for _, p := range people {
		all[p.State().ID] = p
	}
	return all
}

// lockRowGroups returns the rows whose groups all exist, and these groups, locked. It refuses the
// other rows.
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

func withoutRefused(all []personRow, refused map[int]error) []personRow {
	return slices.DeleteFunc(slices.Clone(all), func(r personRow) bool { return refused[r.Number] != nil })
}
