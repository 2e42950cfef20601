package tracing_test

import (
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
	"lyceum/adapters/demo"
	"lyceum/adapters/tracing"
	"lyceum/app/transfer"
	"lyceum/cmd/server"
	"lyceum/test/kit/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// receiver collects spans.
type receiver struct {
	mu      sync.Mutex
	service string
	spans   []*trace.Span
}

// ServeHTTP implements the OTLP protocol.
func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	var message collector.ExportTraceServiceRequest
	if err == nil {
		err = proto.Unmarshal(body, &message)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, of := range message.ResourceSpans {
		r.service = of.Resource.String()
		for _, scope := range of.ScopeSpans {
			r.spans = append(r.spans, scope.Spans...)
		}
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
}

// find returns the spans with a name, of all traces or one.
func (r *receiver) find(name, of string) []*trace.Span {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(r.spans), func(s *trace.Span) bool {
		return s.Name != name || of != "" && hex.EncodeToString(s.TraceId) != of
	})
}

func TestSpans(t *testing.T) {
	is := is.New(t)
	r := &receiver{}
	otlp := httptest.NewServer(r)
	t.Cleanup(otlp.Close)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", otlp.URL)
	cfg := server.Defaults()
	cfg.Transport.Addr, cfg.Store, cfg.Postgres.DSN, cfg.Files.Dir = "127.0.0.1:0", server.Postgres, pgtest.Migrated(t), t.TempDir()
	cfg.Metrics.Version, cfg.Name = "v1.2.3", "traced"
	s, err := server.New(cfg)
	is.NoErr(err)
	_, err = s.App().Transfers.ImportNew(t.Context(), transfer.Import{Open: demo.School})
	is.NoErr(err)
	is.NoErr(s.Start(t.Context()))
	stop := sync.OnceValue(s.Stop)
	t.Cleanup(func() { _ = stop() })

	const id, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	const document = `{"data":{"type":"people","attributes":{"email":"secret.person@example.test"}}}`
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL()+"/v2/people?api_key="+demo.Key, strings.NewReader(document))
	is.NoErr(err)
	req.Header.Set("Traceparent", "00-"+id+"-"+parent+"-01")
	resp, err := http.DefaultClient.Do(req)
	is.NoErr(err)
	is.NoErr(resp.Body.Close())
	is.Equal(resp.StatusCode, http.StatusCreated)

	t.Run("a request within a span sends traceparent", func(t *testing.T) {
		is := is.New(t)
		received := ""
		other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { received = r.Header.Get("Traceparent") }))
		t.Cleanup(other.Close)
		ctx, span := tracing.Begin(t.Context(), "test")
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, other.URL, nil)
		is.NoErr(err)
		client := http.Client{Transport: tracing.Transport(http.DefaultTransport)}
		resp, err := client.Do(req)
		is.NoErr(err)
		is.NoErr(resp.Body.Close())
		span.End(false)
		is.True(strings.HasPrefix(received, "00-"))
	})
	time.Sleep(time.Second) // the job runs
	is.NoErr(stop())        // sends the last spans
	is.True(!tracing.On())
	is.True(strings.Contains(r.service, "lyceum") && strings.Contains(r.service, "v1.2.3") && strings.Contains(r.service, "traced"))
	requests := r.find("POST /v2/people", id)
	is.Equal(len(requests), 1)
	is.Equal(hex.EncodeToString(requests[0].ParentSpanId), parent)
	is.True(strings.Contains(requests[0].String(), "201"))
	is.True(len(r.find("statement", id)) > 0)
	is.True(len(r.find("job invitation", "")) > 0)
	transactions := r.find("transaction", "")
	is.True(len(transactions) > 0)
	nested := 0
	for _, s := range r.find("statement", "") {
		if slices.ContainsFunc(transactions, func(t *trace.Span) bool { return string(t.SpanId) == string(s.ParentSpanId) }) {
			nested++
		}
	}
	is.True(nested > 0) // statements belong to their transactions
	for _, s := range r.spans {
		if text := s.String(); strings.Contains(text, "secret.person") || strings.Contains(text, demo.Key) {
			t.Errorf("a span contains a value: %s", text)
		}
	}
}
