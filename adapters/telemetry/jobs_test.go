package telemetry_test

import (
	"context"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/telemetry"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/ports"
)

// outcomes is a queue whose methods for outcomes return err.
type outcomes struct {
	ports.Queue
	err error
}

func (o *outcomes) Complete(context.Context, job.Job) error { return o.err }

func (o *outcomes) Reschedule(context.Context, job.Job, time.Time, string) error { return o.err }

func (o *outcomes) MarkDead(context.Context, job.Job, string) error { return o.err }

func TestJobsAreCountedByOutcome(t *testing.T) {
	is := is.New(t)
	m := telemetry.New(telemetry.Config{Store: "memory"})
	queue := &outcomes{}
	counted := m.CountJobs(queue)
	bulk := job.Job{Kind: "bulk"}

	is.NoErr(counted.Complete(t.Context(), bulk))
	is.NoErr(counted.Complete(t.Context(), bulk))
	is.NoErr(counted.Reschedule(t.Context(), bulk, now, "timeout"))
	is.NoErr(counted.MarkDead(t.Context(), job.Job{Kind: "invitations"}, "timeout"))
	queue.err = fault.RecordNotFound() // the lease was lost
	is.True(fault.Is(counted.Complete(t.Context(), bulk), fault.NotFound))
	is.True(fault.Is(counted.MarkDead(t.Context(), bulk, "timeout"), fault.NotFound))

	is.Equal(metrics(t, m, "lyceum_jobs_total"), []string{
		`lyceum_jobs_total{kind="bulk",outcome="completed"} 2`,
		`lyceum_jobs_total{kind="bulk",outcome="retried"} 1`,
		`lyceum_jobs_total{kind="invitations",outcome="dead"} 1`,
	})
}
