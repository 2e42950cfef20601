package memory

import (
	"context"
	"fmt"

	"lyceum/domain/job"
	"lyceum/ports"
)

var _ ports.JobRepo = jobs{}

// jobs collects the new jobs of a transaction, which reach the queue at its end.
type jobs struct{ tx *tx }

func (r jobs) Add(ctx context.Context, j job.Job) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	if j.School != s.school.State().ID {
		return fmt.Errorf("memory: the job %s is of another school, %s", j.ID, j.School)
	}
	if _, ok := r.tx.jobs[j.ID]; ok {
		return fmt.Errorf("memory: jobs already has %s", j.ID)
	}
	r.tx.jobs[j.ID] = j
	return nil
}
