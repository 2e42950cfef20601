package telemetry_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/limiter"
	"lyceum/adapters/telemetry"
)

func TestConnections(t *testing.T) {
	is := is.New(t)
	m := telemetry.New(telemetry.Config{Store: "memory"})
	m.Connections(func() telemetry.Connections {
		return telemetry.Connections{Open: 9, Waiting: 7, Refused: 3, Replaced: 5}
	})
	body := strings.Join(metrics(t, m, "lyceum_connections"), "\n") + "\n"
	for _, line := range []string{
		`lyceum_connections{state="active"} 2`,
		`lyceum_connections{state="waiting"} 7`,
		`lyceum_connections_closed_total{reason="refused"} 3`,
		`lyceum_connections_closed_total{reason="replaced"} 5`,
	} {
		is.True(strings.Contains(body, line+"\n")) // the response contains every one of these lines
	}
}

func TestAdmission(t *testing.T) {
	is := is.New(t)
	m := telemetry.New(telemetry.Config{Store: "memory"})
	m.Admission(func() map[string]limiter.Stats {
		return map[string]limiter.Stats{"expensive": {Running: 3, Waiting: 17, Timeouts: 5, Full: 2}}
	})
	m.RateLimits(func() map[string]int64 { return map[string]int64{"wrong-keys": 7} })
	body := strings.Join(metrics(t, m, "lyceum_requests_"), "\n") + "\n"
	for _, line := range []string{
		`lyceum_requests_running{class="expensive"} 3`,
		`lyceum_requests_waiting{class="expensive"} 17`,
		`lyceum_requests_refused_total{class="expensive",reason="timeout"} 5`,
		`lyceum_requests_refused_total{class="expensive",reason="full"} 2`,
		`lyceum_requests_limited_total{limit="wrong-keys"} 7`,
	} {
		is.True(strings.Contains(body, line+"\n")) // the response contains every one of these lines
	}
}
