package telemetry

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// unmatched stands for the route of requests that have none: what clients make
// up must not become names of figures.
const unmatched = "unmatched"

// latencies are the upper ends of the classes that durations are counted in,
// in seconds: from a page out of memory to the time limit of a request.
var latencies = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// Metrics is the figures of one server. New makes them.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.HistogramVec
	bytes    *prometheus.CounterVec
}

// New returns figures of a server on the store of cfg, all of them zero.
func New(cfg Config) *Metrics {
	store := prometheus.Labels{"store": cfg.Store}
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:                        "lyceum_http_request_duration_seconds",
			Help:                        "How long requests took, by method, route and status.",
			ConstLabels:                 store,
			Buckets:                     latencies,
			NativeHistogramBucketFactor: 1.1, // for servers that ask for the finer form
		}, []string{"method", "route", "status"}),
		bytes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name:        "lyceum_http_response_bytes_total",
			Help:        "Bytes of the bodies of answers, by method and route.",
			ConstLabels: store,
		}, []string{"method", "route"}),
	}
	m.registry.MustRegister(
		m.requests, m.bytes,
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewBuildInfoCollector(),
	)
	return m
}

// Request counts a request that was answered: its method, the template of its
// route (blank for none), the status, the size of the body and how long it took.
func (m *Metrics) Request(method, route string, status, bytes int, took time.Duration) {
	method = known(method)
	if route == "" {
		route = unmatched
	}
	m.requests.WithLabelValues(method, route, strconv.Itoa(status)).Observe(took.Seconds())
	m.bytes.WithLabelValues(method, route).Add(float64(bytes))
}

// known returns method, or other when it is none that HTTP defines.
func known(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions:
		return method
	}
	return "other"
}

func (m *Metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		Registry:      m.registry,
		ErrorHandling: promhttp.ContinueOnError, // what can be told is told
	})
}
