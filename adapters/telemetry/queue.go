package telemetry

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"lyceum/domain/job"
	"lyceum/ports"
)

// queueTimeout is how long a scrape waits for the queue, less than the 10 seconds
// that Prometheus waits for the scrape.
const queueTimeout = 3 * time.Second

var (
	queued = prometheus.NewDesc("lyceum_queue_jobs",
		"Jobs of all schools, by kind and state: waiting, leased or dead.", []string{"kind", "state"}, nil)
	late = prometheus.NewDesc("lyceum_queue_late_seconds",
		"How long the job that has waited longest could have been begun, by kind.", []string{"kind"}, nil)
)

// Queue adds the figures of the queue, which is asked at each scrape: one answer
// holds for all servers of a database. They are left out while the queue does not
// answer.
func (m *Metrics) Queue(q ports.Queue, clock ports.Clock) {
	m.registry.MustRegister(backlog{q, clock, make(chan struct{}, 1)})
}

type backlog struct {
	queue  ports.Queue
	clock  ports.Clock
	asking chan struct{} // full while the queue is asked
}

// Describe names the figures that Collect sends.
func (backlog) Describe(to chan<- *prometheus.Desc) { to <- queued; to <- late }

// Collect asks the queue.
func (b backlog) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), queueTimeout)
	defer cancel()
	now := b.clock.Now()
	for _, k := range b.ask(ctx) {
		to <- prometheus.MustNewConstMetric(queued, prometheus.GaugeValue, float64(k.Jobs), string(k.Kind), k.State.String())
		if k.State == job.Waiting {
			to <- prometheus.MustNewConstMetric(late, prometheus.GaugeValue, max(0, now.Sub(k.RunAt).Seconds()), string(k.Kind))
		}
	}
}

// ask returns the backlog, nil when it is not known before ctx ends. It does not
// wait for the queue to notice that: the driver of a database that hangs takes
// much longer to give a statement up. Nor is a queue asked twice at a time.
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
