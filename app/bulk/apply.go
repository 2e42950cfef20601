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
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/domain/school"
	"lyceum/domain/text"
	"lyceum/ports"
)

// jobActor is the actor of rules on rows: jobs apply them, without the key of the request.
var jobActor = usecase.SystemActor(school.ID{})

// partLease is twice the time that one attempt to apply a part may take.
const partLease = 3 * time.Minute

// partRetry bridges an outage of the store of more than an hour.
var partRetry = job.RetryPolicy{MaxAttempts: 16, InitialDelay: time.Second, MaxDelay: 15 * time.Minute}

// ApplyNext applies the part whose job has been due longest, and reports whether there was a job,
// as jobs.Handler.RunNext does. A part's changes and its outcome are saved in one transaction,
// exactly once. After an outage the part is rescheduled; after the last attempt its rows fail.
func (u *Bulk) ApplyNext(ctx context.Context) (bool, error) {
	return jobs.Handler{
		Queue: u.queue, Kind: bulk.JobKind, Lease: partLease, Retry: partRetry,
		Handle:      u.applyPart,
		OnExhausted: u.failPart,
	}.RunNext(ctx, u.deps)
}

// tooManyError means that, with the row number, a part adds more than enrollment.MaxAdded
// enrollments.
type tooManyError struct{ number int }

func (e *tooManyError) Error() string {
	return fmt.Sprintf("row %d would make the part add too many enrollments", e.number)
}

// applyPart applies the part of j. If its rows add too many enrollments, the last rows become a
// part with its own job, so that each job occupies a worker for a bounded time.
func (u *Bulk) applyPart(ctx context.Context, j job.Job) error {
	for {
		err := u.finishPart(ctx, j, readPart, u.apply)
		tooMany, ok := errors.AsType[*tooManyError](err)
		if !ok {
			return err
		}
		if err := u.splitPart(ctx, j, tooMany.number); err != nil {
			return err
		}
	}
}

// splitPart moves the rows from number on to a new part with its own job.
func (u *Bulk) splitPart(ctx context.Context, j job.Job, number int) error {
	id, _ := text.UUID(j.Payload) // finishPart has parsed it
	rest := bulk.PartID{UUID: u.deps.IDs.New()}
	next := job.New(job.ID{UUID: u.deps.IDs.New()}, j.School, bulk.JobKind, rest.String(), u.deps.Clock.Now())
	return u.deps.Store.InTx(ctx, j.School, func(ctx context.Context, tx ports.Tx) error {
		p, err := tx.Bulk.GetPartForUpdate(ctx, bulk.PartID{UUID: id})
		if fault.Is(err, fault.NotFound) {
			return nil // another worker has finished it
		}
		if err != nil {
			return err
		}
		p, last := p.SplitAt(number, rest)
		if len(last.Rows) == 0 {
			return nil // another worker has split it
		}
		if err := tx.Bulk.SplitPart(ctx, p, last); err != nil {
			return err
		}
		return tx.Jobs.Add(ctx, next)
	})
}

// finishPart reads the part of j by calling read and saves the refusals that apply returns, by row
// number, as its outcome. A finished part is left unchanged.
func (u *Bulk) finishPart(
	ctx context.Context, j job.Job, read func(context.Context, ports.Tx, bulk.PartID) (bulk.Part, error),
	apply func(context.Context, ports.Tx, bulk.Part) (map[int]error, error),
) error {
	id, ok := text.UUID(j.Payload)
	if !ok {
		return nil // the job names no part
	}
	return u.deps.Store.InTx(ctx, j.School, func(ctx context.Context, tx ports.Tx) error {
		p, err := read(ctx, tx, bulk.PartID{UUID: id})
		if fault.Is(err, fault.NotFound) {
			return nil // another worker has finished it
		}
		if err != nil {
			return err
		}
		refused, err := apply(ctx, tx, p)
		if err != nil {
			return err
		}
		return tx.Bulk.FinishPart(ctx, p.ID, p.Outcome(refused, u.deps.Clock.Now()))
	})
}

func readPart(ctx context.Context, tx ports.Tx, id bulk.PartID) (bulk.Part, error) {
	return tx.Bulk.GetPartForUpdate(ctx, id)
}

// readDamagedPart is readPart for a part that may not decode: it then returns only the numbers of
// its rows.
func readDamagedPart(ctx context.Context, tx ports.Tx, id bulk.PartID) (bulk.Part, error) {
	p, err := tx.Bulk.GetPartForUpdate(ctx, id)
	if err == nil || fault.All(err) != nil || ctx.Err() != nil {
		return p, err // an outage: the part can be read later
	}
	return tx.Bulk.GetPartNumbersForUpdate(ctx, id)
}

// failPart fails all rows of a part, so that the bulk job completes.
func (u *Bulk) failPart(ctx context.Context, j job.Job) error {
	return u.finishPart(ctx, j, readDamagedPart, func(_ context.Context, _ ports.Tx, p bulk.Part) (map[int]error, error) {
		failed := map[int]error{}
		for _, r := range p.Rows {
			if len(r.Errors) == 0 {
				failed[r.Number] = fault.Unavailablef("The row could not be applied after repeated attempts; nothing was changed")
			}
		}
		return failed, nil
	})
}

// apply applies the valid rows of a part, each completely or not at all, and returns the refusals
// by row number.
func (u *Bulk) apply(ctx context.Context, tx ports.Tx, p bulk.Part) (map[int]error, error) {
	valid := slices.DeleteFunc(slices.Clone(p.Rows), func(r bulk.Row) bool { return len(r.Errors) > 0 })
	if p.Kind == bulk.People {
		return u.applyPeople(ctx, tx, valid)
	}
	return u.applyGroups(ctx, tx, valid)
}

// targetRow is a row of a part with the records that its targets name.
type targetRow[ID comparable] struct {
	bulk.Row
	key string // unique key of the row's subject
	ids []ID   // one for each of the row's targets
}

// resolveTargets returns the rows whose targets, resolved by idOf, are all in existing. It refuses
// the others.
func resolveTargets[ID comparable, T any](
	kind bulk.Kind, rows []bulk.Row, idOf func(name string) ID, existing map[ID]T, refused map[int]error,
) []targetRow[ID] {
	var all []targetRow[ID]
	for _, r := range rows {
		row := targetRow[ID]{Row: r, key: text.UniqueKey(r.Subject)}
		var unknown []error
		for _, t := range r.Targets {
			id := idOf(t.Name)
			if _, ok := existing[id]; !ok {
				unknown = append(unknown, kind.Unknown(t.Field))
			}
			row.ids = append(row.ids, id)
		}
		if unknown != nil {
			refused[r.Number] = fault.Join(unknown...)
			continue
		}
		all = append(all, row)
	}
	return all
}

// targetNames returns the names of the targets of all rows, without duplicates.
func targetNames(rows []bulk.Row) []string {
	seen := map[string]bool{}
	for _, r := range rows {
		for _, t := range r.Targets {
			seen[t.Name] = true
		}
	}
	return slices.Collect(maps.Keys(seen))
}

// atFields joins the refusals of a row, each at its field; nil if there are none.
func atFields(fields []string, refused []error) error {
	errs := make([]error, len(refused))
	for i, err := range refused {
		errs[i] = fault.OnField(fields[i], err)
	}
	return fault.Join(errs...)
}
