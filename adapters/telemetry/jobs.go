package telemetry

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"lyceum/domain/job"
	"lyceum/ports"
)

// CountJobs returns a queue that wraps queue and counts the outcomes of jobs on this server. Call
// it at most once.
func (m *Metrics) CountJobs(queue ports.Queue) ports.Queue {
	ended := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "lyceum_jobs_total",
		Help: "Jobs that ended on this server, by kind and outcome: completed, retried (failed and rescheduled) or dead.",
	}, []string{"kind", "outcome"})
	m.registry.MustRegister(ended)
	return countedQueue{queue, ended}
}

type countedQueue struct {
	ports.Queue
	ended *prometheus.CounterVec
}

// Complete implements ports.Queue.
func (q countedQueue) Complete(ctx context.Context, j job.Job) error {
	return q.count(j, "completed", q.Queue.Complete(ctx, j))
}

// Reschedule implements ports.Queue.
func (q countedQueue) Reschedule(ctx context.Context, j job.Job, until time.Time, cause string) error {
	return q.count(j, "retried", q.Queue.Reschedule(ctx, j, until, cause))
}

// MarkDead implements ports.Queue.
func (q countedQueue) MarkDead(ctx context.Context, j job.Job, cause string) error {
	return q.count(j, "dead", q.Queue.MarkDead(ctx, j, cause))
}

// count counts the outcome unless err is set, and returns err. After a lost lease, the server that
// has the job now counts its outcome.
func (q countedQueue) count(j job.Job, outcome string, err error) error {
	if err == nil {
		q.ended.WithLabelValues(string(j.Kind), outcome).Inc()
	}
	return err
}
