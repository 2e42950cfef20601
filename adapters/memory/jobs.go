package memory

import (
	"context"
	"fmt"
	"maps"

	"lyceum/domain/job"
	"lyceum/ports"
)

var _ ports.JobRepo = jobs{}

// jobs collects the new jobs of a transaction, which reach the queue at its end.
type jobs struct{ tx *tx }

func (r jobs) Add(ctx context.Context, js ...job.Job) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	added := map[job.ID]job.Job{}
	for _, j := range js {
		if j.School != s.school.State().ID {
			return fmt.Errorf("memory: the job %s is of another school, %s", j.ID, j.School)
		}
		_, kept := r.tx.jobs[j.ID]
		if _, twice := added[j.ID]; kept || twice {
			return fmt.Errorf("memory: jobs already has %s", j.ID)
		}
		added[j.ID] = j
	}
	maps.Copy(r.tx.jobs, added)
	return nil
}
