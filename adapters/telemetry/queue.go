package telemetry

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"lyceum/domain/job"
	"lyceum/ports"
)

// queueTimeout bounds the query of the queue, and the check of the file store, in a scrape. It is
// shorter than the 10 seconds after which Prometheus cancels the scrape.
const queueTimeout = 3 * time.Second

var (
	queued = prometheus.NewDesc("lyceum_queue_jobs",
		"Jobs of all schools, by kind and state: waiting, leased or dead.", []string{"kind", "state"}, nil)
	overdueSeconds = prometheus.NewDesc("lyceum_queue_late_seconds",
		"Age of the oldest runnable job, by kind.", []string{"kind"}, nil)
)

// Queue adds the metrics of the job queue's backlog. They are read at each scrape and are the same
// on all servers that share a database. The metrics are omitted while the queue does not respond.
func (m *Metrics) Queue(q ports.Queue, clock ports.Clock) {
	m.registry.MustRegister(backlog{q, clock, make(chan struct{}, 1)})
}

type backlog struct {
	queue  ports.Queue
	clock  ports.Clock
	asking chan struct{} // semaphore; holds one value during a query
}

// Describe implements prometheus.Collector.
func (backlog) Describe(to chan<- *prometheus.Desc) { to <- queued; to <- overdueSeconds }

// Collect implements prometheus.Collector.
func (b backlog) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), queueTimeout)
	defer cancel()
	now := b.clock.Now()
	for _, k := range b.ask(ctx) {
		to <- prometheus.MustNewConstMetric(queued, prometheus.GaugeValue, float64(k.Jobs), string(k.Kind), k.State.String())
		if k.State == job.Waiting {
			to <- prometheus.MustNewConstMetric(overdueSeconds, prometheus.GaugeValue, max(0, now.Sub(k.RunAt).Seconds()), string(k.Kind))
		}
	}
}

// ask returns the backlog, or nil if it is not known when ctx ends. It does not wait until the
// query notices the end of ctx, because this takes much longer if the database does not respond.
// Only one query runs at a time.
func (b backlog) ask(ctx context.Context) []ports.Backlog {
	select {
	case b.asking <- struct{}{}:
	default:
		return nil
	}
	answer := make(chan []ports.Backlog, 1)
	go func() {
		defer func() { <-b.asking }()
		all, err := b.queue.Backlog(ctx)
		if err != nil {
			all = nil
		}
		answer <- all
	}()
	select {
	case all := <-answer:
		return all
	case <-ctx.Done():
		return nil
	}
}
