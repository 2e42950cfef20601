package telemetry

import (
	"github.com/prometheus/client_golang/prometheus"
	"lyceum/adapters/admission"
)

var (
	admitted = prometheus.NewDesc("lyceum_requests_running",
		"Requests that hold a slot of their class.", []string{"class"}, nil)
	waiting = prometheus.NewDesc("lyceum_requests_waiting",
		"Requests that wait for a slot of their class.", []string{"class"}, nil)
	limited = prometheus.NewDesc("lyceum_requests_limited_total",
		"Requests refused by a rate limit: key, wrong-keys or unknown-tokens.", []string{"limit"}, nil)
	refused = prometheus.NewDesc("lyceum_requests_refused_total",
		"Requests refused for want of a slot, by class and reason: timeout or full.", []string{"class", "reason"}, nil)
)

// RateLimits adds the metrics of the rate limits: how many requests each refused, by
// its name.
func (m *Metrics) RateLimits(refused func() map[string]int64) {
	m.registry.MustRegister(rateLimits(refused))
}

type rateLimits func() map[string]int64

// Describe sends the description of what Collect sends.
func (rateLimits) Describe(to chan<- *prometheus.Desc) { to <- limited }

// Collect sends the current figures.
func (r rateLimits) Collect(to chan<- prometheus.Metric) {
	for limit, n := range r() {
		to <- prometheus.MustNewConstMetric(limited, prometheus.CounterValue, float64(n), limit)
	}
}

// Admission adds the metrics of admission: of each class of requests, by its name.
func (m *Metrics) Admission(stats func() map[string]admission.Stats) {
	m.registry.MustRegister(admissions(stats))
}

type admissions func() map[string]admission.Stats

// Describe sends the descriptions of what Collect sends.
func (admissions) Describe(to chan<- *prometheus.Desc) { to <- admitted; to <- waiting; to <- refused }

// Collect sends the current figures.
func (a admissions) Collect(to chan<- prometheus.Metric) {
	for class, s := range a() {
		to <- prometheus.MustNewConstMetric(admitted, prometheus.GaugeValue, float64(s.Running), class)
		to <- prometheus.MustNewConstMetric(waiting, prometheus.GaugeValue, float64(s.Waiting), class)
		to <- prometheus.MustNewConstMetric(refused, prometheus.CounterValue, float64(s.Timeouts), class, "timeout")
		to <- prometheus.MustNewConstMetric(refused, prometheus.CounterValue, float64(s.Full), class, "full")
	}
}
