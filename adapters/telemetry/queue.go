package telemetry

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"lyceum/domain/job"
	"lyceum/ports"
)

// patience is how long the queue has to answer; a scrape does not wait for a
// database that is out of order.
const patience = 3 * time.Second

var (
	queued = prometheus.NewDesc("lyceum_queue_jobs",
		"Jobs of all schools, by kind and state: waiting, leased or dead.", []string{"kind", "state"}, nil)
	late = prometheus.NewDesc("lyceum_queue_late_seconds",
		"How long the job that has waited longest could have been begun, by kind.", []string{"kind"}, nil)
)

// Queue adds the figures of the queue, which is asked at each scrape: one answer
// holds for all servers of a database.
func (m *Metrics) Queue(q ports.Queue, clock ports.Clock) { m.registry.MustRegister(backlog{q, clock}) }

type backlog struct {
	queue ports.Queue
	clock ports.Clock
}

// Describe says which figures Collect tells.
func (backlog) Describe(to chan<- *prometheus.Desc) { to <- queued; to <- late }

// Collect asks the queue.
func (b backlog) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	all, err := b.queue.Backlog(ctx)
	if err != nil {
		to <- prometheus.NewInvalidMetric(queued, err)
		return
	}
	now := b.clock.Now()
	for _, k := range all {
		to <- prometheus.MustNewConstMetric(queued, prometheus.GaugeValue, float64(k.Jobs), string(k.Kind), k.State.String())
		if k.State == job.Waiting {
			to <- prometheus.MustNewConstMetric(late, prometheus.GaugeValue, max(0, now.Sub(k.RunAt).Seconds()), string(k.Kind))
		}
	}
}
