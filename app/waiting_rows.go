package app

import (
	"context"

	"lyceum/domain/bulk"
	"lyceum/domain/person"
	"lyceum/domain/text"
	"lyceum/ports"
)

// lockWaitingRows locks the unfinished parts of bulk requests that have a row about the person id,
// and returns them and the unique key of the person's email address. A deletion or a change of the
// address calls it.
//
// The parts are locked before the person, in the order of a worker, which locks a part and then the
// people of its rows. A worker therefore either applies a row before the deletion or the change, or
// reads the part without the row's values after it. A part of a request that is accepted after
// lockWaitingRows is not locked: the request is treated like one that is accepted after the commit.
func lockWaitingRows(ctx context.Context, tx ports.Tx, id person.ID) (key string, waiting []bulk.Part, err error) {
	p, err := tx.People.Get(ctx, id)
	if err != nil {
		return "", nil, err
	}
	return lockRowsAbout(ctx, tx, p.Email)
}

// lockFormerRows is like lockWaitingRows, for a change of the address to email. It does nothing if
// email is nil or the address of the person.
func lockFormerRows(ctx context.Context, tx ports.Tx, id person.ID, email *string) (key string, waiting []bulk.Part, err error) {
	if email == nil {
		return "", nil, nil
	}
	p, err := tx.People.Get(ctx, id)
	if err != nil || p.Email == *email {
		return "", nil, err
	}
	return lockRowsAbout(ctx, tx, p.Email)
}

func lockRowsAbout(ctx context.Context, tx ports.Tx, email string) (key string, waiting []bulk.Part, err error) {
	key = text.UniqueKey(email)
	waiting, err = tx.Bulk.WaitingForUpdate(ctx, key)
	return key, waiting, err
}

// eraseWaitingRows removes the values of the rows about the person with the given unique key from
// waiting, whose parts must be locked. The rows fail with the error reason.
func eraseWaitingRows(ctx context.Context, tx ports.Tx, waiting []bulk.Part, key string, reason error) error {
	for _, p := range waiting {
		if err := tx.Bulk.SaveRows(ctx, p.Without(key, reason)); err != nil {
			return err
		}
	}
	return nil
}
