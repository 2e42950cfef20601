package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/text"
	"lyceum/ports"
)

// People is what can be done with people of every kind.
type People struct{ deps usecase.Deps }

// List returns a page of people.
func (u *People) List(ctx context.Context, a Actor, q query.Query) (query.Result[person.Summary], error) {
	return u.deps.Store.Read(a.School()).People.List(ctx, q)
}

// Get returns one person.
func (u *People) Get(ctx context.Context, a Actor, id person.ID) (person.Summary, error) {
	return u.deps.Store.Read(a.School()).People.Get(ctx, id)
}

// Create adds a person and invites them, unsubscribed or not. A school that gets
// its learners by URL authentication refuses.
func (u *People) Create(ctx context.Context, a Actor, profile person.Profile) (person.Summary, error) {
	return admit(ctx, u.deps, a, profile)
}

// Update changes a person and returns them as they are then. With the address end
// the links to an invitation that were sent to it.
func (u *People) Update(ctx context.Context, a Actor, id person.ID, e person.Edit) (person.Summary, error) {
	now := u.deps.Clock.Now()
	var after person.Summary
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		p, err := tx.People.Find(ctx, id)
		if err != nil {
			return err
		}
		before := p.State().Email
		changed, err := p.Edit(e, now)
		if err != nil {
			if e.Email != nil {
				err = fault.Join(err, emailTaken(ctx, tx, *e.Email, id))
			}
			return err
		}
		if changed {
			if err := tx.People.Save(ctx, p); err != nil {
				return err
			}
		}
		// Who reads what was sent to the old address need not be the person any more.
		if text.Key(p.State().Email) != text.Key(before) {
			if err := tx.Invitations.EndLinks(ctx, id, now); err != nil {
				return err
			}
		}
		after, err = tx.People.Get(ctx, id)
		return err
	})
	return after, err
}

// Delete removes a person and all that is theirs for good. Who has a part in
// running the school is refused.
func (u *People) Delete(ctx context.Context, a Actor, id person.ID) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		return remove(ctx, u.deps, tx, id, person.CheckDeletion)
	})
}

// remove deletes the person id and what belongs to it, unless a check refuses.
func remove(ctx context.Context, d usecase.Deps, tx ports.Tx, id person.ID, checks ...func(person.Summary) error) error {
	if _, err := tx.People.Find(ctx, id); err != nil {
		return err
	}
	s, err := tx.People.Get(ctx, id)
	if err != nil {
		return err
	}
	for _, check := range checks {
		if err := check(s); err != nil {
			return err
		}
	}
	return erase(ctx, d, tx, id)
}
