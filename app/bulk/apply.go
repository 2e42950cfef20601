package bulk

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"lyceum/app/jobs"
	"lyceum/app/usecase"
	"lyceum/domain/audit"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/domain/text"
	"lyceum/ports"
)

// partLease is twice the maximum duration of an attempt to apply a part.
const partLease = 3 * time.Minute

// partRetry retries for more than an hour, so that parts survive shorter outages of the store.
var partRetry = job.RetryPolicy{MaxAttempts: 16, InitialDelay: time.Second, MaxDelay: 15 * time.Minute}

// ApplyNext applies the part whose job has been due longest. It reports whether there was a job,
// like jobs.Handler.RunNext. A part's changes and its outcome are saved in one transaction, exactly
// once. After an outage the part is rescheduled; after the last attempt its rows fail.
func (u *Bulk) ApplyNext(ctx context.Context) (bool, error) {
	return jobs.Handler{
		Queue: u.queue, Kind: bulk.JobKind, Lease: partLease, Retry: partRetry,
		Handle:      u.applyPart,
		OnExhausted: u.failPart,
	}.RunNext(ctx, u.deps)
}

// partEnrollments is the number of enrollments above which a part is split, so that a worker soon
// takes a part of another school. A row that adds more is a part of its own.
const partEnrollments = 5_000

// tooManyError means that the part exceeds partEnrollments enrollments at the row with the given
// number, which is not the first one.
type tooManyError struct{ number int }

func (e *tooManyError) Error() string {
	return fmt.Sprintf("row %d would make the part add too many enrollments", e.number)
}

// applyPart applies the part of j. If its rows would add too many enrollments, it moves the last
// rows to a new part with a job of its own, so that no job occupies a worker for too long. While the
// school has used up its allowance, the part waits in the queue.
func (u *Bulk) applyPart(ctx context.Context, j job.Job) error {
	if wait := u.deps.Additions.Wait(j.School); wait > 0 {
		return &jobs.HeldError{Hold: job.Hold{Until: u.deps.Clock.Now().Add(wait), Cause: "the school has added or changed very many records"}}
	}
	for {
		rows := 0
		err := u.finishPart(ctx, j, readPart, func(ctx context.Context, tx ports.Tx, a usecase.Actor, p bulk.Part) (map[int]error, error) {
			rows = len(p.Rows)
			return u.apply(ctx, tx, a, p)
		})
		tooMany, ok := errors.AsType[*tooManyError](err)
		if !ok {
			u.deps.Additions.Use(j.School, rows)
			return err
		}
		if err := u.splitPart(ctx, j, tooMany.number); err != nil {
			return err
		}
	}
}

// splitPart moves the row with the given number and all later rows to a new part with its own job.
func (u *Bulk) splitPart(ctx context.Context, j job.Job, number int) error {
	id, _ := text.UUID(j.Payload) // finishPart has parsed it
	rest := bulk.PartID{UUID: u.deps.IDs.New()}
	next := job.New(job.ID{UUID: u.deps.IDs.New()}, j.School, bulk.JobKind, rest.String(), u.deps.Clock.Now())
	return u.deps.Store.InTx(ctx, j.School, func(ctx context.Context, tx ports.Tx) error {
		p, err := tx.Bulk.GetPartForUpdate(ctx, bulk.PartID{UUID: id})
		if fault.Is(err, fault.NotFound) {
			return nil // another worker has finished the part
		}
		if err != nil {
			return err
		}
		p, last := p.SplitAt(number, rest)
		if len(last.Rows) == 0 {
			return nil // another worker has split the part
		}
		if err := tx.Bulk.SplitPart(ctx, p, last); err != nil {
			return err
		}
		return tx.Jobs.Add(ctx, next)
	})
}

// finishPart gets the part of j from read, passes it to apply, and saves the outcome of the part.
// apply returns the refusals by row number. finishPart does not change a part that is already
// finished.
func (u *Bulk) finishPart(
	ctx context.Context, j job.Job, read func(context.Context, ports.Tx, bulk.PartID) (bulk.Part, error),
	apply func(context.Context, ports.Tx, usecase.Actor, bulk.Part) (map[int]error, error),
) error {
	id, ok := text.UUID(j.Payload)
	if !ok {
		return nil // the payload is not the ID of a part
	}
	var refused map[int]error
	err := u.deps.Store.InTx(ctx, j.School, func(ctx context.Context, tx ports.Tx) error {
		refused = nil
		p, err := read(ctx, tx, bulk.PartID{UUID: id})
		if fault.Is(err, fault.NotFound) {
			return nil // another worker has finished the part
		}
		if err != nil {
			return err
		}
		a := usecase.OnBehalfOf(j.School, p.By)
		if err := tx.Audit.SetOrigin(ctx, originOf(ctx, a, p)); err != nil {
			return err
		}
		if refused, err = apply(ctx, tx, a, p); err != nil {
			return err
		}
		return tx.Bulk.FinishPart(ctx, p.ID, p.Outcome(refused, u.deps.Clock.Now()))
	})
	if err == nil {
		u.reportDefects(ctx, j, refused)
	}
	return err
}

// originOf returns the origin of the changes of a part in the audit trail: the actor of its request,
// or the job in ctx for a request of the operator, and the ID of the bulk job, which the client knows.
func originOf(ctx context.Context, a usecase.Actor, p bulk.Part) audit.Origin {
	o := usecase.OriginBy(ctx, a)
	o.Request = p.Job.String()
	return o
}

// reportDefects reports those errors of rows that are not faults.
func (u *Bulk) reportDefects(ctx context.Context, j job.Job, refused map[int]error) {
	for _, row := range slices.Sorted(maps.Keys(refused)) {
		if err := refused[row]; fault.All(err) == nil {
			u.onDefect(ctx, Defect{j, row, err})
		}
	}
}

func readPart(ctx context.Context, tx ports.Tx, id bulk.PartID) (bulk.Part, error) {
	return tx.Bulk.GetPartForUpdate(ctx, id)
}

// readDamagedPart is like readPart, but for a part that may not be decodable. In that case it
// returns only the numbers of its rows.
func readDamagedPart(ctx context.Context, tx ports.Tx, id bulk.PartID) (bulk.Part, error) {
	p, err := tx.Bulk.GetPartForUpdate(ctx, id)
	if err == nil || fault.All(err) != nil || ctx.Err() != nil {
		return p, err // the part can be read, does not exist, or can be read after an outage
	}
	return tx.Bulk.GetPartNumbersForUpdate(ctx, id)
}

// failPart fails all rows of a part, so that the bulk job completes.
func (u *Bulk) failPart(ctx context.Context, j job.Job) error {
	return u.finishPart(ctx, j, readDamagedPart, func(_ context.Context, _ ports.Tx, _ usecase.Actor, p bulk.Part) (map[int]error, error) {
		failed := map[int]error{}
		for _, r := range p.Rows {
			if len(r.Errors) == 0 {
				failed[r.Number] = fault.Unavailablef("The row could not be applied after repeated attempts; nothing was changed")
			}
		}
		return failed, nil
	})
}

// apply applies the valid rows of a part on behalf of the actor a, each row completely or not at
// all, and returns the refusals by row number. It refuses all of them if the sender of the request
// has lost the right to send it (checkSender).
func (u *Bulk) apply(ctx context.Context, tx ports.Tx, a usecase.Actor, p bulk.Part) (map[int]error, error) {
	valid := slices.DeleteFunc(slices.Clone(p.Rows), func(r bulk.Row) bool { return len(r.Errors) > 0 })
	role, err := checkSender(ctx, tx, p.By)
	if fault.Is(err, fault.Forbidden) {
		refused := map[int]error{}
		for _, r := range valid {
			refused[r.Number] = err
		}
		return refused, nil
	}
	if err != nil {
		return nil, err
	}
	rows := u.applyGroups
	if p.Kind == bulk.People {
		rows = u.applyPeople
	}
	refused, err := rows(ctx, tx, a, valid)
	if err != nil {
		return nil, err
	}
	return refused, lockRole(ctx, tx, role)
}
