package memory

import (
	"context"
	"fmt"
	"maps"

	"lyceum/domain/job"
	"lyceum/domain/school"
	"lyceum/ports"
)

var _ ports.JobRepo = jobs{}

// jobs collects the new jobs of a transaction, which reach the queue at its end.
type jobs struct{ tx *tx }

// matter is what a job is about.
type matter struct {
	school  school.ID
	kind    job.Kind
	payload string
}

func matterOf(j job.Job) matter { return matter{j.School, j.Kind, j.Payload} }

func (r jobs) Remove(ctx context.Context, kind job.Kind, payload string) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	gone := matter{s.school.State().ID, kind, payload}
	maps.DeleteFunc(r.tx.jobs, func(_ job.ID, j job.Job) bool { return matterOf(j) == gone })
	if r.tx.settled == nil {
		r.tx.settled = map[matter]bool{}
	}
	r.tx.settled[gone] = true
	return nil
}

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
