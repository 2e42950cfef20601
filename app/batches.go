package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/ports"
)

// The maximum numbers of records that one transaction of a deletion deletes. Such a transaction
// takes about 100 ms, so that other writes hardly wait.
const (
	rowBatch         = 5000 // records that consist of one database row, such as events
	addressBatch     = 1000 // addresses in audit events, which have an entry in up to seven indexes
	countedBatch     = 2000 // records whose deletion also updates a counter, such as memberships
	quizAttemptBatch = 250  // quiz attempts, with their answers
	attemptBatch     = 100  // course attempts, with their completions
)

// inBatches calls batch, each time in a new transaction, until batch reports that it is done or
// returns an error. After an error, the changes of the earlier calls remain.
func inBatches(ctx context.Context, d usecase.Deps, a Actor, batch func(ctx context.Context, tx ports.Tx) (bool, error)) error {
	for done := false; !done; {
		err := d.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) (err error) {
			done, err = batch(ctx, tx)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// deleteBatch deletes at most limit of the records that belong to id. It returns true only if none
// is left. remove deletes at most the given number of these records and returns how many it
// deleted.
func deleteBatch[ID any](ctx context.Context, remove func(context.Context, ID, int) (int, error), id ID, limit int) (bool, error) {
	for limit > 0 {
		n, err := remove(ctx, id, limit)
		if err != nil || n == 0 {
			return err == nil, err
		}
		limit -= n
	}
	return false, nil
}
