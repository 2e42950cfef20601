package app

import (
	"github.com/google/uuid"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/text"
)

// person drafts a person and their parts in running the school.
func (d *drafting) person(p PersonPlan) error {
	created := at(p.CreatedAt, d.now)
	who, err := person.New(person.ID{UUID: d.id(p.ID)}, p.Profile, created)
	if err != nil {
		return err
	}
	key := text.Key(who.State().Email)
	if holder, ok := d.personByEmail[key]; ok {
		return fault.Taken("email", person.Type, holder.State().ID.UUID)
	}
	if p.Activated {
		who.Activate(created)
	}
	d.personByEmail[key] = who
	d.people = append(d.people, who)
	id := who.State().ID
	if p.Invitation != nil {
		if err := d.invited(id, *p.Invitation); err != nil {
			return fault.Within("invitation", err)
		}
	}
	for _, role := range p.Roles {
		part := person.Partnership{
			ID: person.PartnershipID{UUID: d.part(id, role)}, Person: id, Role: role, CreatedAt: created,
		}
		d.partnerships = append(d.partnerships, part)
		d.partnershipsOf[id] = append(d.partnershipsOf[id], part.ID)
	}
	return nil
}

// part derives the id of a partnership from what it joins, so that a blueprint
// with ids of its own builds the same school each time.
func (d *drafting) part(p person.ID, role person.Role) uuid.UUID {
	return uuid.NewSHA1(p.UUID, []byte("partnership "+role.String()))
}
