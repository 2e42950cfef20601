package telemetry_test

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matryer/is"
	"go.uber.org/goleak"
	"lyceum/adapters/telemetry"
	"lyceum/domain/job"
	"lyceum/ports"
	"lyceum/test/kit/heap"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	now     = time.Date(2026, 1, 31, 15, 4, 5, 0, time.UTC)
	silence = slog.New(slog.DiscardHandler)
)

// serve exports the metrics of m until the test ends, and returns the URL of the server.
func serve(t *testing.T, m *telemetry.Metrics) string {
	t.Helper()
	s := telemetry.NewServer(telemetry.Config{Addr: "127.0.0.1:0"}, m, silence)
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return "http://" + s.Addr()
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

// metrics returns the lines of a scrape that begin with prefix.
func metrics(t *testing.T, m *telemetry.Metrics, prefix string) []string {
	t.Helper()
	_, body := get(t, serve(t, m)+"/metrics")
	var found []string
	for line := range strings.Lines(body) {
		if strings.HasPrefix(line, prefix) {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}

// The method of a request is a part of its first line, which contains the query. The metrics must not
// keep it in memory.
func TestMetricsKeepNoRequest(t *testing.T) {
	is := is.New(t)
	const size = 64 << 20
	before, m := heap.InUse(), telemetry.New(telemetry.Config{})
	line := "GET /v2/people?q=" + strings.Repeat("x", size)
	m.Request(line[:3], "/v2/people", 200, 1, time.Millisecond)
	is.True(heap.InUse()-before < size/2) // line is no longer used
	is.Equal(len(metrics(t, m, `lyceum_http_request_duration_seconds_count{method="GET"`)), 1)
}

func TestRequestLabels(t *testing.T) {
	is := is.New(t)
	m := telemetry.New(telemetry.Config{Store: "memory"})
	m.Request("GET", "/v1/people/:id", 200, 100, 2*time.Millisecond)
	m.Request("GET", "/v1/people/:id", 200, 50, 20*time.Millisecond)
	m.Request("GET", "/v1/people/:id", 404, 10, time.Millisecond)
	m.Request("BREW", "", 405, 10, time.Millisecond) // unknown methods and paths do not become labels

	is.Equal(metrics(t, m, "lyceum_http_request_duration_seconds_count"), []string{
		`lyceum_http_request_duration_seconds_count{method="GET",route="/v1/people/:id",status="200",store="memory"} 2`,
		`lyceum_http_request_duration_seconds_count{method="GET",route="/v1/people/:id",status="404",store="memory"} 1`,
		`lyceum_http_request_duration_seconds_count{method="other",route="unmatched",status="405",store="memory"} 1`,
	})
	is.Equal(metrics(t, m, `lyceum_http_request_duration_seconds_bucket{method="GET",route="/v1/people/:id",status="200",store="memory",le="0.0025"}`), []string{
		`lyceum_http_request_duration_seconds_bucket{method="GET",route="/v1/people/:id",status="200",store="memory",le="0.0025"} 1`,
	})
	is.Equal(metrics(t, m, "lyceum_http_response_bytes_total"), []string{
		`lyceum_http_response_bytes_total{method="GET",route="/v1/people/:id",store="memory"} 160`,
		`lyceum_http_response_bytes_total{method="other",route="unmatched",store="memory"} 10`,
	})
}

func TestPoolIsReadAtEachScrape(t *testing.T) {
	is := is.New(t)
	m := telemetry.New(telemetry.Config{Store: "postgres"})
	stats := sql.DBStats{MaxOpenConnections: 12, OpenConnections: 5, InUse: 3, WaitCount: 7, WaitDuration: 1500 * time.Millisecond}
	m.Pool(func() sql.DBStats { return stats })
	is.Equal(metrics(t, m, "lyceum_database"), []string{
		"lyceum_database_connections_in_use 3",
		"lyceum_database_connections_max 12",
		"lyceum_database_connections_open 5",
		"lyceum_database_wait_seconds_total 1.5",
		"lyceum_database_waits_total 7",
	})
	stats.InUse = 4
	is.Equal(metrics(t, m, "lyceum_database_connections_in_use"), []string{"lyceum_database_connections_in_use 4"})
}

// queue is a ports.Queue that implements only Backlog.
type queue struct {
	ports.Queue
	all []ports.Backlog
	err error
}

func (q queue) Backlog(context.Context) ([]ports.Backlog, error) { return q.all, q.err }

type clock struct{}

func (clock) Now() time.Time { return now }

func TestQueueBacklog(t *testing.T) {
	is := is.New(t)
	m := telemetry.New(telemetry.Config{})
	m.Queue(queue{all: []ports.Backlog{
		{Kind: "bulk", State: job.Dead, Jobs: 1, RunAt: now.Add(-time.Hour)},
		{Kind: "bulk", State: job.Waiting, Jobs: 4, RunAt: now.Add(-90 * time.Second)},
		{Kind: "invitation", State: job.Waiting, Jobs: 2, RunAt: now.Add(time.Hour)}, // not due yet
	}}, clock{})
	is.Equal(metrics(t, m, "lyceum_queue"), []string{
		`lyceum_queue_jobs{kind="bulk",state="dead"} 1`,
		`lyceum_queue_jobs{kind="bulk",state="waiting"} 4`,
		`lyceum_queue_jobs{kind="invitation",state="waiting"} 2`,
		`lyceum_queue_late_seconds{kind="bulk"} 90`,
		`lyceum_queue_late_seconds{kind="invitation"} 0`,
	})
}

func TestFailingQueueIsOmitted(t *testing.T) {
	is := is.New(t)
	m := telemetry.New(telemetry.Config{})
	m.Request("GET", "/healthz", 200, 1, time.Millisecond)
	m.Queue(queue{err: errors.New("the database is away")}, clock{})
	is.Equal(len(metrics(t, m, "lyceum_queue")), 0)
	is.Equal(len(metrics(t, m, "lyceum_http_response_bytes_total")), 1)
}

// stuckQueue does not answer until free is closed, even after its context has ended.
type stuckQueue struct {
	ports.Queue
	asked atomic.Int32
	free  chan struct{}
}

func (q *stuckQueue) Backlog(context.Context) ([]ports.Backlog, error) {
	q.asked.Add(1)
	<-q.free
	return []ports.Backlog{{Kind: "bulk", State: job.Dead, Jobs: 1, RunAt: now}}, nil
}

// While the database does not respond, a scrape does not wait but omits the metrics of the queue.
// Later scrapes start no further queries.
func TestHangingQueueIsOmitted(t *testing.T) {
	is := is.New(t)
	m := telemetry.New(telemetry.Config{})
	m.Request("GET", "/healthz", 200, 1, time.Millisecond)
	q := &stuckQueue{free: make(chan struct{})}
	m.Queue(q, clock{})
	for range 5 {
		is.Equal(len(metrics(t, m, "lyceum_queue")), 0) // does not wait for the queue
	}
	is.Equal(len(metrics(t, m, "lyceum_http_response_bytes_total")), 1)
	is.Equal(q.asked.Load(), int32(1))
	close(q.free)
	for len(metrics(t, m, "lyceum_queue")) == 0 { // the queue is queried again
	}
}

// The command line must not be served, because flags may contain secrets.
func TestCommandLineIsNotServed(t *testing.T) {
	is := is.New(t)
	base := serve(t, telemetry.New(telemetry.Config{}))
	for _, path := range []string{"/debug/pprof/cmdline", "/debug/pprof//cmdline", "/debug/pprof/cmdline/"} {
		status, body := get(t, base+path)
		is.Equal(status, http.StatusNotFound)
		is.True(!strings.Contains(body, os.Args[0]))
	}
}

func TestProfilesAreServed(t *testing.T) {
	is := is.New(t)
	status, body := get(t, serve(t, telemetry.New(telemetry.Config{}))+"/debug/pprof/goroutine?debug=1")
	is.Equal(status, http.StatusOK)
	is.True(strings.HasPrefix(body, "goroutine profile: total "))
}

func TestNoListenerWithoutAddress(t *testing.T) {
	is := is.New(t)
	s := telemetry.NewServer(telemetry.Config{}, telemetry.New(telemetry.Config{}), silence)
	is.NoErr(s.Start(t.Context()))
	is.Equal(s.Addr(), "")
	is.NoErr(s.Stop())
}

func TestStartFailsIfPortIsTaken(t *testing.T) {
	is := is.New(t)
	m := telemetry.New(telemetry.Config{})
	addr := strings.TrimPrefix(serve(t, m), "http://")
	err := telemetry.NewServer(telemetry.Config{Addr: addr}, m, silence).Start(t.Context())
	is.True(err != nil && strings.HasPrefix(err.Error(), "metrics.addr: "))
}

func TestValidate(t *testing.T) {
	for addr, want := range map[string]struct{ closed, open string }{
		"": {}, "127.0.0.1:9090": {}, "[::1]:9090": {}, "localhost:9090": {},
		":9090":             {"metrics.open: ", ""},
		"0.0.0.0:9090":      {"metrics.open: ", ""},
		"[::]:9090":         {"metrics.open: ", ""},
		"10.0.0.7:9090":     {"metrics.open: ", ""},
		"metrics.test:9090": {"metrics.open: ", ""},
		"9090":              {"metrics.addr: ", "metrics.addr: "},
		"[::1":              {"metrics.addr: ", "metrics.addr: "},
	} {
		t.Run(addr, func(t *testing.T) {
			is := is.New(t)
			for open, prefix := range map[bool]string{false: want.closed, true: want.open} {
				err := telemetry.Config{Addr: addr, Open: open}.Validate()
				is.Equal(err != nil, prefix != "")
				is.True(err == nil || strings.HasPrefix(err.Error(), prefix))
			}
		})
	}
}

// The listener rejects requests with a foreign Host header. A web page could send such a request
// after it has pointed its own host name at this machine (DNS rebinding).
func TestForeignHostsAreRejected(t *testing.T) {
	addr := serve(t, telemetry.New(telemetry.Config{}))
	for host, want := range map[string]int{
		"": 200, "localhost": 200, "LOCALHOST:9090": 200, "[::1]:9090": 200, "127.0.0.2": 200,
		"evil.example": 403, "localhost.evil.example:9090": 403, "192.0.2.7": 403,
	} {
		is := is.New(t)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, addr+"/metrics", nil)
		is.NoErr(err)
		r.Host, r.Close = host, true
		response, err := http.DefaultClient.Do(r)
		is.NoErr(err)
		is.NoErr(response.Body.Close())
		is.Equal(response.StatusCode, want)
	}
}
