package app

import (
	"context"

	"lyceum/app/admission"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
)

// Partnerships manages the staff of a school.
type Partnerships struct{ deps usecase.Deps }

// List returns a page of partnerships.
func (u *Partnerships) List(ctx context.Context, a Actor, q query.Query) (query.Result[person.Partnership], error) {
	return u.deps.Read(a).Partnerships.List(ctx, q)
}

// Get returns the partnership with the given id, or NotFound if it does not exist.
func (u *Partnerships) Get(ctx context.Context, a Actor, id person.PartnershipID) (person.Partnership, error) {
	return u.deps.Read(a).Partnerships.Get(ctx, id)
}

// Create adds a partnership, and ends the sessions and sign-in links of the person. A client that
// holds one of them, because it has created the link or had the mailbox for some time, must not get
// the rights of the new role. Create returns a fault if the person already has the role, and a
// fault on the relationship person if the person does not exist.
func (u *Partnerships) Create(ctx context.Context, a Actor, of person.ID, role person.Role) (person.Partnership, error) {
	p, errRole := person.NewPartnership(person.PartnershipID{UUID: u.deps.IDs.New()}, of, role, u.deps.Clock.Now())
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		holder, err := tx.People.GetForUpdate(ctx, of)
		if err != nil {
			return fault.Join(errRole, onPerson(err))
		}
		if errRole != nil {
			return errRole
		}
		// The lock on the person also protects the person's partnerships.
		held, err := tx.Partnerships.ByPerson(ctx, of)
		if err != nil {
			return err
		}
		for _, other := range held {
			if other.Role == role {
				return fault.Taken("role", person.PartnershipType, other.ID.UUID)
			}
		}
		if _, err = tx.Partnerships.AddIfAbsent(ctx, p); err != nil {
			return err
		}
		if err := u.deps.CheckOwnKey(ctx, tx, a); err != nil {
			return err
		}
		if a.IsStaff(of) { // a session of the person, who could grant the role, gets no new right
			return nil
		}
		return admission.EndSignIns(ctx, tx, a.School(), holder.State(), u.deps.Clock.Now())
	})
	return p, err
}

// onPerson returns err, and a NotFound as a fault on the relationship person.
func onPerson(err error) error {
	if fault.Is(err, fault.NotFound) {
		return fault.OnField("relationships.person.id", err)
	}
	return err
}

// Delete deletes a partnership and removes it from the courses that it instructs. The last owner
// cannot be deleted.
func (u *Partnerships) Delete(ctx context.Context, a Actor, id person.PartnershipID) error {
	return u.deps.InTx(ctx, a.Resigning(id), func(ctx context.Context, tx ports.Tx) error {
		// Lock the owners first, so that two requests cannot delete the last two owners.
		owners, err := tx.Partnerships.OwnersForUpdate(ctx)
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
		// After the deletion, which updates the person, the transaction must wait for no other lock:
		// requests of the person wait for its end, while they hold locks.
		if _, err := tx.People.GetForUpdate(ctx, p.Person); err != nil {
			return err
		}
		if err := tx.Courses.DetachInstructor(ctx, id); err != nil {
			return err
		}
		return tx.Partnerships.Delete(ctx, id)
	})
}
