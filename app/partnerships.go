package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
)

// Partnerships is who runs the school.
type Partnerships struct{ deps usecase.Deps }

// List returns a page of partnerships.
func (u *Partnerships) List(ctx context.Context, a Actor, q query.Query) (query.Result[person.Partnership], error) {
	return u.deps.Store.Read(a.School()).Partnerships.List(ctx, q)
}

// Get returns one partnership.
func (u *Partnerships) Get(ctx context.Context, a Actor, id person.PartnershipID) (person.Partnership, error) {
	return u.deps.Store.Read(a.School()).Partnerships.Get(ctx, id)
}

// Create gives a person a part in running the school. Who has that role already
// is refused. A person that the school has not is a fault at its place.
func (u *Partnerships) Create(ctx context.Context, a Actor, of person.ID, role person.Role) (person.Partnership, error) {
	p, errRole := person.NewPartnership(person.PartnershipID{UUID: u.deps.IDs.New()}, of, role, u.deps.Clock.Now())
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.People.Find(ctx, of); err != nil {
			return fault.Join(errRole, unknownPerson(err))
		}
		if errRole != nil {
			return errRole
		}
		// Nobody else changes what a person who was found has.
		held, err := tx.Partnerships.Of(ctx, of)
		if err != nil {
			return err
		}
		for _, other := range held {
			if other.Role == role {
				return fault.Taken("role", person.PartnershipType, other.ID.UUID)
			}
		}
		_, err = tx.Partnerships.AddIfAbsent(ctx, p)
		return err
	})
	return p, err
}

// unknownPerson puts the fault that there is no such person at its place in the
// document.
func unknownPerson(err error) error {
	if fault.Is(err, fault.NotFound) {
		return fault.At("relationships.person.id", err)
	}
	return err
}

// Delete ends a partnership; the courses that it instructs lose it. The last
// owner of the school stays.
func (u *Partnerships) Delete(ctx context.Context, a Actor, id person.PartnershipID) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		// First of all: two who remove the last two owners wait for each other here.
		owners, err := tx.Partnerships.Owners(ctx)
		if err != nil {
			return err
		}
		p, err := tx.Partnerships.Get(ctx, id)
		if err != nil {
			return err
		}
		if err := p.CheckRemoval(len(owners)); err != nil {
			return err
		}
		if err := tx.Courses.DetachInstructor(ctx, id); err != nil {
			return err
		}
		return tx.Partnerships.Remove(ctx, id)
	})
}
