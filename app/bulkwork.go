package app

import (
	"context"
	"time"

	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/domain/text"
	"lyceum/ports"
)

// bulkLease is how long a part may be worked at before another worker may take
// it over.
const bulkLease = 3 * time.Minute

// bulkRetry gives a store that is out of order more than an hour.
var bulkRetry = job.Retry{Attempts: 16, First: time.Second, Longest: 15 * time.Minute}

// ApplyNext applies the part that waits longest and tells whether there was one.
// The rows of a part and what came of them are kept together, once. A part that
// an outage keeps from being applied is put off; its rows fail when it was tried
// too often. An error says that the queue or the store failed; the part comes
// back when its lease ends.
func (u *Bulk) ApplyNext(ctx context.Context) (bool, error) {
	return next(ctx, u.deps, trade{
		queue: u.queue, kind: bulk.JobKind, lease: bulkLease, retry: bulkRetry,
		do:     func(ctx context.Context, j job.Job) error { return u.part(ctx, j, readPart, u.apply) },
		giveUp: u.abandon,
	})
}

// part does the part of j, as find returns it, unless it is done already: do
// returns which of its rows are refused, and what it has kept is kept together
// with that.
func (u *Bulk) part(
	ctx context.Context, j job.Job, find func(context.Context, ports.Tx, bulk.PartID) (bulk.Part, error),
	do func(context.Context, ports.Tx, bulk.Part) (map[int]error, error),
) error {
	id, ok := text.UUID(j.Payload)
	if !ok {
		return nil // it names no part
	}
	return u.deps.Store.InTx(ctx, j.School, func(ctx context.Context, tx ports.Tx) error {
		p, err := find(ctx, tx, bulk.PartID{UUID: id})
		if fault.Is(err, fault.NotFound) {
			return nil // somebody else was faster
		}
		if err != nil {
			return err
		}
		refused, err := do(ctx, tx, p)
		if err != nil {
			return err
		}
		return tx.Bulk.FinishPart(ctx, p.ID, p.Outcome(refused, u.deps.Clock.Now()))
	})
}

func readPart(ctx context.Context, tx ports.Tx, id bulk.PartID) (bulk.Part, error) {
	return tx.Bulk.FindPart(ctx, id)
}

// readAnyPart is readPart also for a part that cannot be read; nothing is known
// then of its rows but their numbers.
func readAnyPart(ctx context.Context, tx ports.Tx, id bulk.PartID) (bulk.Part, error) {
	p, err := tx.Bulk.FindPart(ctx, id)
	if err == nil || fault.All(err) != nil || ctx.Err() != nil {
		return p, err // what an outage hides can be read later
	}
	return tx.Bulk.FindNumbers(ctx, id)
}

// abandon lets all rows of a part fail, so that the bulk job completes.
func (u *Bulk) abandon(ctx context.Context, j job.Job) error {
	return u.part(ctx, j, readAnyPart, func(_ context.Context, _ ports.Tx, p bulk.Part) (map[int]error, error) {
		failed := map[int]error{}
		for _, r := range p.Rows {
			if len(r.Errors) == 0 {
				failed[r.Number] = fault.Busyf("Could not be applied, though it was tried often; nothing of it was kept")
			}
		}
		return failed, nil
	})
}

// apply applies the rows of a part, each as a whole or not at all, and returns
// why those are refused that are.
func (u *Bulk) apply(ctx context.Context, tx ports.Tx, p bulk.Part) (map[int]error, error) {
	var sound []bulk.Row
	for _, r := range p.Rows {
		if len(r.Errors) == 0 {
			sound = append(sound, r)
		}
	}
	if p.Kind == bulk.People {
		return u.applyPeople(ctx, tx, sound)
	}
	return u.applyGroups(ctx, tx, sound)
}
