package telemetry

import (
	"github.com/prometheus/client_golang/prometheus"
	"lyceum/adapters/limiter"
)

var (
	admitted = prometheus.NewDesc("lyceum_requests_running",
		"Running requests, by class.", []string{"class"}, nil)
	waiting = prometheus.NewDesc("lyceum_requests_waiting",
		"Requests waiting for a slot, by class.", []string{"class"}, nil)
	limited = prometheus.NewDesc("lyceum_requests_limited_total",
		"Requests rejected by a rate limit: key, learner, wrong-keys or unknown-tokens.", []string{"limit"}, nil)
	refused = prometheus.NewDesc("lyceum_requests_refused_total",
		"Requests rejected because no slot was free, by class and reason: timeout or full.", []string{"class", "reason"}, nil)
)

// RateLimits adds the number of requests rejected by each rate limit. refused returns these numbers
// by the name of the limit, at each scrape.
func (m *Metrics) RateLimits(refused func() map[string]int64) {
	m.registry.MustRegister(rateLimits(refused))
}

type rateLimits func() map[string]int64

// Describe implements prometheus.Collector.
func (rateLimits) Describe(to chan<- *prometheus.Desc) { to <- limited }

// Collect implements prometheus.Collector.
func (r rateLimits) Collect(to chan<- prometheus.Metric) {
	for limit, n := range r() {
		to <- prometheus.MustNewConstMetric(limited, prometheus.CounterValue, float64(n), limit)
	}
}

// Admission adds the metrics of the limiters. stats returns their counts by class of requests, at
// each scrape.
func (m *Metrics) Admission(stats func() map[string]limiter.Stats) {
	m.registry.MustRegister(admissions(stats))
}

type admissions func() map[string]limiter.Stats

// Describe implements prometheus.Collector.
func (admissions) Describe(to chan<- *prometheus.Desc) { to <- admitted; to <- waiting; to <- refused }

// Collect implements prometheus.Collector.
func (a admissions) Collect(to chan<- prometheus.Metric) {
	for class, s := range a() {
		to <- prometheus.MustNewConstMetric(admitted, prometheus.GaugeValue, float64(s.Running), class)
		to <- prometheus.MustNewConstMetric(waiting, prometheus.GaugeValue, float64(s.Waiting), class)
		to <- prometheus.MustNewConstMetric(refused, prometheus.CounterValue, float64(s.Timeouts), class, "timeout")
		to <- prometheus.MustNewConstMetric(refused, prometheus.CounterValue, float64(s.Full), class, "full")
	}
}
