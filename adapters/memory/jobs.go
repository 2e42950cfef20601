package memory

import (
	"context"
	"fmt"
	"maps"
	"time"

	"lyceum/adapters/memory/jobqueue"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/ports"
)

var _ ports.JobRepo = jobs{}

// jobs collects the changes of a transaction to the queue. They are made when the transaction's
// state is published.
type jobs struct{ tx *tx }

// Delete implements ports.JobRepo.
func (r jobs) Delete(ctx context.Context, kind job.Kind, payload string) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	gone := jobqueue.Subject{School: s.school.State().ID, Kind: kind, Payload: payload}
	maps.DeleteFunc(r.tx.jobs.Added, func(_ job.ID, j job.Job) bool { return jobqueue.SubjectOf(j) == gone })
	if r.tx.jobs.Gone == nil {
		r.tx.jobs.Gone = map[jobqueue.Subject]bool{}
	}
	r.tx.jobs.Gone[gone] = true
	return nil
}

// Retry implements ports.JobRepo.
func (r jobs) Retry(ctx context.Context, kind job.Kind, id job.ID, now time.Time) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	j, added := r.tx.jobs.Added[id]
	found := added
	if !added {
		j, found = r.tx.store.queue.Get(id)
		found = found && j.School == s.school.State().ID && !r.tx.jobs.Gone[jobqueue.SubjectOf(j)]
	}
	switch {
	case !found || j.Kind != kind || !jobqueue.CanRetry(j, now):
		return fault.RecordNotFound()
	case added:
		r.tx.jobs.Added[id] = jobqueue.Retried(j, now)
	case r.tx.jobs.Retried == nil:
		r.tx.jobs.Retried = map[job.ID]time.Time{id: now}
	default:
		r.tx.jobs.Retried[id] = now
	}
	return nil
}

// Add implements ports.JobRepo.
func (r jobs) Add(ctx context.Context, js ...job.Job) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	added := map[job.ID]job.Job{}
	for _, j := range js {
		if j.School != s.school.State().ID {
			return fmt.Errorf("memory: the job %s belongs to another school, %s", j.ID, j.School)
		}
		_, kept := r.tx.jobs.Added[j.ID]
		if _, twice := added[j.ID]; kept || twice {
			return fmt.Errorf("memory: jobs: duplicate ID %s", j.ID)
		}
		added[j.ID] = j
	}
	maps.Copy(r.tx.jobs.Added, added)
	return nil
}
