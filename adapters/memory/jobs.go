package memory

import (
	"context"
	"fmt"
	"maps"

	"lyceum/adapters/memory/jobqueue"
	"lyceum/domain/job"
	"lyceum/ports"
)

var _ ports.JobRepo = jobs{}

// jobs collects the new jobs of a transaction. They are added to the queue when the transaction's
// state is published.
type jobs struct{ tx *tx }

// Delete implements ports.JobRepo.
func (r jobs) Delete(ctx context.Context, kind job.Kind, payload string) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	gone := jobqueue.Subject{School: s.school.State().ID, Kind: kind, Payload: payload}
	maps.DeleteFunc(r.tx.jobs, func(_ job.ID, j job.Job) bool { return jobqueue.SubjectOf(j) == gone })
	if r.tx.deletedJobs == nil {
		r.tx.deletedJobs = map[jobqueue.Subject]bool{}
	}
	r.tx.deletedJobs[gone] = true
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
		_, kept := r.tx.jobs[j.ID]
		if _, twice := added[j.ID]; kept || twice {
			return fmt.Errorf("memory: jobs: duplicate ID %s", j.ID)
		}
		added[j.ID] = j
	}
	maps.Copy(r.tx.jobs, added)
	return nil
}
