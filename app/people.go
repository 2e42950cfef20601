package app

import (
	"context"
	"slices"
	"time"

	"lyceum/app/admission"
	"lyceum/app/usecase"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/property"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/domain/text"
	"lyceum/ports"
)

// People manages people: learners and staff.
type People struct{ deps usecase.Deps }

// List returns a page of people.
func (u *People) List(ctx context.Context, a Actor, q query.Query) (query.Result[person.Summary], error) {
	return listPeople(ctx, u.deps, a, q)
}

// ListAudience returns a page of the people of an audience.
func (u *People) ListAudience(ctx context.Context, a Actor, in ports.Audience, q query.Query) (query.Result[person.Summary], error) {
	return listAudience(ctx, u.deps, a, in, q)
}

// Get returns the person with the given id, or NotFound if it does not exist.
func (u *People) Get(ctx context.Context, a Actor, id person.ID) (person.Summary, error) {
	return getPerson(ctx, u.deps, a, id)
}

// Create adds and invites a person. Unsubscribed people are invited too. It returns Forbidden if
// the school uses URL authentication.
func (u *People) Create(ctx context.Context, a Actor, profile person.Profile) (person.Summary, error) {
	return createPerson(ctx, u.deps, a, profile)
}

// Update changes a person and returns the updated person. A new email address expires the
// invitation links that were sent to the old one. Waiting rows of bulk requests about the old address
// fail, because they would add the old address again, even after the deletion of the person.
func (u *People) Update(ctx context.Context, a Actor, id person.ID, e person.Changes) (person.Summary, error) {
	now := u.deps.Clock.Now()
	var after person.Summary
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		var before person.State
		e := e
		key, waiting, err := lockFormerRows(ctx, tx, id, e.Email)
		if err != nil {
			return err
		}
		if err := usecase.DefineProperties(ctx, tx.Properties, property.People, &e.Properties); err != nil {
			return err
		}
		by, err := u.deps.Request(ctx, tx.School, a, now)
		if err != nil {
			return err
		}
		p, err := usecase.Update(ctx, tx.People, id, func(p *person.Person) (bool, error) {
			before = p.State()
			changed, err := p.Update(e, now)
			if err != nil && e.Email != nil {
				err = fault.Join(err, emailTaken(ctx, tx, *e.Email, id))
			}
			if err != nil || !changed {
				return false, err
			}
			effect, err := policy.Effect(admission.CheckPersonChange(u.deps.Policies.Living, by, before, p.State()))
			if !effect {
				*p = person.Restore(before)
			}
			if from := text.UniqueKey(before.Email); from != text.UniqueKey(p.State().Email) && from != key {
				return false, ports.ErrChanged // another request changed the address after lockFormerRows
			}
			return effect, usecase.AtData(err)
		})
		if err != nil {
			return err
		}
		// The old mailbox may now belong to another person. Addresses with the same unique key can be
		// those of different mailboxes.
		if !signin.SameAddress(p.State().Email, before.Email) {
			// The links expire in the past, because another server may compare them with an earlier time.
			if err := tx.Invitations.ExpireLinks(ctx, id, time.Time{}); err != nil {
				return err
			}
			if text.UniqueKey(p.State().Email) != key {
				if err := eraseWaitingRows(ctx, tx, waiting, key, bulk.ErrAddressChanged); err != nil {
					return err
				}
			}
			if err := checkStaffEmail(ctx, u.deps, tx, a, id); err != nil {
				return err
			}
			if err := admission.EndSignIns(ctx, tx, a.School(), before, now); err != nil {
				return err
			}
		}
		if after, err = tx.People.Get(ctx, id); err != nil {
			return err
		}
		return markDeletable(ctx, u.deps, a, tx.School, &after)
	})
	return after, err
}

// checkStaffEmail returns Forbidden if the actor may not change the email address of a person. A
// client that gets the emails of an owner or a manager can sign in as that person, and thus get the
// rights of an API key of the scope admin. People of the staff may change their own address.
func checkStaffEmail(ctx context.Context, d usecase.Deps, tx ports.Tx, a Actor, id person.ID) error {
	if a.IsStaff(id) {
		return nil
	}
	roles, err := tx.Partnerships.ByPerson(ctx, id)
	if err != nil || !slices.ContainsFunc(roles, func(p person.Partnership) bool { return p.Role != person.Instructor }) {
		return err
	}
	if err := a.Require(school.Admin); err != nil {
		return err
	}
	return d.CheckOwnKey(ctx, tx, a)
}

// Delete deletes a person and their data. A person with a partnership cannot be deleted.
func (u *People) Delete(ctx context.Context, a Actor, id person.ID) error {
	return deletePerson(ctx, u.deps, a, id)
}
