package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/bulk"
	"lyceum/domain/job"
	"lyceum/ports"
)

// Bulk is requests about many records, which are accepted at once and applied
// behind the requests.
type Bulk struct {
	deps  usecase.Deps
	queue ports.Queue
}

// Accept takes a request whose rows stand in order. Once it returns the bulk job
// every row will be dealt with. A school that gets its learners by URL
// authentication refuses people as a whole.
func (u *Bulk) Accept(ctx context.Context, a Actor, kind bulk.Kind, rows []bulk.Row) (bulk.Job, error) {
	now := u.deps.Clock.Now()
	accepted, err := bulk.New(bulk.ID{UUID: u.deps.IDs.New()}, kind, len(rows), now)
	if err != nil {
		return bulk.Job{}, err
	}
	parts := bulk.Parts(accepted, rows, u.deps.IDs.New)
	jobs := make([]job.Job, len(parts))
	for i, p := range parts {
		jobs[i] = job.New(job.ID{UUID: u.deps.IDs.New()}, a.School(), bulk.JobKind, p.ID.String(), now)
	}
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		s, err := tx.School.Get(ctx)
		if err != nil {
			return err
		}
		if kind == bulk.People {
			if err := s.CheckLearnerCreation(); err != nil {
				return err
			}
		}
		if err := tx.Bulk.Add(ctx, accepted, parts); err != nil {
			return err
		}
		return tx.Jobs.Add(ctx, jobs...)
	})
	return accepted, err
}

// Get returns one bulk job.
func (u *Bulk) Get(ctx context.Context, a Actor, id bulk.ID) (bulk.Job, error) {
	return u.deps.Store.Read(a.School()).Bulk.Get(ctx, id)
}
