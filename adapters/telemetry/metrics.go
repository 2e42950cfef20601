package telemetry

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// unmatched is the route label of requests that match no route, so that clients cannot create
// labels.
const unmatched = "unmatched"

// latencies contains the upper bounds of the duration buckets in seconds. They cover durations from
// a list in the memory store up to the time limit of a request.
var latencies = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// Metrics contains the metrics of one server. Create it with New.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.HistogramVec
	bytes    *prometheus.CounterVec
}

// New returns metrics whose values are all zero. They are labeled with the store of cfg.
func New(cfg Config) *Metrics {
	store := prometheus.Labels{"store": cfg.Store}
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:                        "lyceum_http_request_duration_seconds",
			Help:                        "Duration of requests, by method, route and status.",
			ConstLabels:                 store,
			Buckets:                     latencies,
			NativeHistogramBucketFactor: 1.1, // for Prometheus servers that accept native histograms
		}, []string{"method", "route", "status"}),
		bytes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name:        "lyceum_http_response_bytes_total",
			Help:        "Size of response bodies in bytes, by method and route.",
			ConstLabels: store,
		}, []string{"method", "route"}),
	}
	m.registry.MustRegister(
		m.requests, m.bytes,
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewBuildInfoCollector(),
		build(cfg.Version),
	)
	return m
}

// build returns a metric whose label is the version of the program.
func build(version string) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name:        "lyceum_build_info",
		Help:        "Always 1; the label is the version of the program.",
		ConstLabels: prometheus.Labels{"version": version},
	}, func() float64 { return 1 })
}

// Request records a request: its method, route template (blank: none), status, response size
// in bytes and duration.
func (m *Metrics) Request(method, route string, status, bytes int, took time.Duration) {
	method = known(method)
	if route == "" {
		route = unmatched
	}
	m.requests.WithLabelValues(method, route, strconv.Itoa(status)).Observe(took.Seconds())
	m.bytes.WithLabelValues(method, route).Add(float64(bytes))
}

var methods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions,
}

// known returns method, or "other" if it is not a common method, so that clients cannot create
// labels. It returns a constant: the given string is a part of the first line of the request, and a
// label would keep the whole line, with its query, in memory.
func known(method string) string {
	if i := slices.Index(methods, method); i >= 0 {
		return methods[i]
	}
	return "other"
}

func (m *Metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		Registry: m.registry,
		// Export the metrics that can be collected, even if others cannot.
		ErrorHandling: promhttp.ContinueOnError,
	})
}
