package bulk

import (
	"errors"
	"time"

	"lyceum/app/admission"
	"lyceum/domain/fault"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/property"
)

// personDecisions decides on rows about people, one after another.
type personDecisions struct {
	people  map[string]person.Person    // by key, with the properties set by the rows granted so far
	ids     map[person.ID]person.Person // the same people by id, for joining
	defined []property.State
	joining *admission.Joining
	now     time.Time
}

// byID returns the people by their IDs.
func (d *personDecisions) byID() map[person.ID]person.Person {
	d.ids = make(map[person.ID]person.Person, len(d.people))
	for _, p := range d.people {
		d.ids[p.State().ID] = p
	}
	return d.ids
}

// set replaces the person with that key.
func (d *personDecisions) set(key string, p person.Person) { d.people[key], d.ids[p.State().ID] = p, p }

// decideAll decides on rows and adds the refusals to refused. It returns the new people (the keys
// in isNew), by key, with the attributes of the first granted row, and the people whose properties
// have changed.
func (d *personDecisions) decideAll(
	rows []personRow, creations *admission.Creations, isNew map[string]bool, refused map[int]error,
) (created map[string]person.Person, changed map[person.ID]person.Person) {
	created, changed = map[string]person.Person{}, map[person.ID]person.Person{}
	for _, r := range rows {
		before := d.people[r.key]
		properties := property.Changes{Sent: r.Properties, Defined: d.defined}
		if _, ok := created[r.key]; isNew[r.key] && !ok {
			p, err := person.New(before.State().ID, person.Profile{
				Email: r.Subject, FirstName: r.FirstName, LastName: r.LastName, Properties: properties,
			}, d.now)
			if err == nil {
				d.set(r.key, p)
				err = d.decideCreation(creations, r, p.State())
			}
			if err != nil {
				refused[r.Number] = err
				d.set(r.key, before)
				continue
			}
			created[r.key] = p
			continue
		}
		p := before
		differs, err := creations.Change(&p, person.Changes{Properties: properties}, d.now)
		if !fault.IsRefusal(err) && err != nil {
			refused[r.Number] = err
			continue
		}
		d.set(r.key, p)
		errJoin := d.decideJoin(r, p.State().ID)
		if err != nil && errJoin == nil {
			d.joining.GiveBack()
		}
		if err := fault.Join(err, errJoin); err != nil {
			refused[r.Number] = err
			d.set(r.key, before)
			continue
		}
		if differs {
			changed[p.State().ID] = p
		}
	}
	return created, changed
}

// decideCreation returns the verdict on a row about the new person p, or nil if the row is granted.
func (d *personDecisions) decideCreation(creations *admission.Creations, r personRow, p person.State) error {
	errPerson := fault.AtBlank("email", creations.Decide(p))
	if errors.Is(errPerson, policy.NoEffect) {
		return errPerson
	}
	errGroups := d.decideJoin(r, p.ID)
	switch {
	case errPerson != nil && errGroups == nil:
		d.joining.GiveBack()
	case errPerson == nil && errGroups != nil:
		creations.GiveBack()
	}
	return fault.Join(errPerson, errGroups)
}

// decideJoin returns the refusal of the memberships of a row's person, or nil.
func (d *personDecisions) decideJoin(r personRow, id person.ID) error {
	fields := make([]string, len(r.ids))
	for i := range r.ids {
		fields[i] = r.Targets[i].Field
	}
	return atFields(fields, d.joining.Row(rolesOf(r, id)))
}

// rolesOf returns the roles that the person of a row gets.
func rolesOf(r personRow, id person.ID) []admission.GroupRole {
	roles := make([]admission.GroupRole, len(r.ids))
	for i, g := range r.ids {
		roles[i] = admission.GroupRole{Person: id, In: g, Role: membership.Member}
	}
	return roles
}
