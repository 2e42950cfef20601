package usecase

import (
	"context"

	"lyceum/domain/person"
	"lyceum/domain/text"
	"lyceum/ports"
)

// LockPerson returns the person who has the given email address or one with the same unique key, and
// reports whether there is one. It locks the person for share, so that the person is not deleted and
// keeps the address until the end of the transaction.
func LockPerson(ctx context.Context, tx ports.Tx, email string) (person.State, bool, error) {
	key := text.UniqueKey(email)
	found, err := tx.People.ByEmail(ctx, []string{email})
	p, known := found[key]
	if err != nil || !known {
		return person.State{}, false, err
	}
	id := p.State().ID
	locked, err := tx.People.GetManyForShare(ctx, []person.ID{id})
	if err != nil {
		return person.State{}, false, err
	}
	p, known = locked[id] // may have changed since ByEmail
	if !known || text.UniqueKey(p.State().Email) != key {
		return person.State{}, false, nil
	}
	return p.State(), true, nil
}
