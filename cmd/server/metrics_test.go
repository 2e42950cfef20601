package server_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"go.uber.org/fx"
	"lyceum/adapters/demo"
	"lyceum/adapters/telemetry"
	"lyceum/app/transfer"
	"lyceum/cmd/server"
)

// The metrics listener counts requests to the API, and does not serve the API.
func TestMetrics(t *testing.T) {
	is := is.New(t)
	cfg := local()
	cfg.Metrics.Addr = "127.0.0.1:0"
	var metrics *telemetry.Server
	s, err := server.New(cfg, fx.Populate(&metrics))
	is.NoErr(err)
	_, err = s.App().Transfers.ImportNew(t.Context(), transfer.Import{Open: demo.School})
	is.NoErr(err)
	is.NoErr(s.Start(t.Context()))
	defer func() { is.NoErr(s.Stop()) }()

	status, _, _ := get(t, s.URL()+"/v1/people?limit=1", nil)
	is.Equal(status, 200)
	status, _, _ = get(t, s.URL()+"/metrics", nil)
	is.Equal(status, 404)

	status, _, body := get(t, "http://"+metrics.Addr()+"/metrics", nil)
	is.Equal(status, 200)
	is.True(strings.Contains(body, `lyceum_http_request_duration_seconds_count{method="GET",route="/v1/people",status="200",store="memory"} 1`))
	is.True(strings.Contains(body, `lyceum_http_request_duration_seconds_count{method="GET",route="unmatched",status="404",store="memory"} 1`))
	is.True(!strings.Contains(body, "lyceum_database")) // the memory store has no pool
}
