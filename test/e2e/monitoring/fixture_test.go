package monitoring_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"go.uber.org/fx"
	"lyceum/adapters/demo"
	"lyceum/adapters/telemetry"
	"lyceum/app/transfer"
	"lyceum/cmd/server"
	"lyceum/test/kit/pgtest"
)

// folder contains the files that the tests check.
const folder = "../../../docs/deploy/"

func TestMain(m *testing.M) { pgtest.Main(m) }

// start runs a server on PostgreSQL with the demo school, and returns its URL and the host and port
// of its metrics. Its mail server does not exist, so that jobs wait to be retried.
func start(t *testing.T) (url, metrics string) {
	t.Helper()
	cfg := server.Defaults()
	cfg.Transport.Addr, cfg.Metrics.Addr, cfg.Metrics.Version = "127.0.0.1:0", "127.0.0.1:0", "v1.2.3"
	cfg.Store, cfg.Postgres.DSN, cfg.Files.Dir = server.Postgres, pgtest.Migrated(t), t.TempDir()
	cfg.Postgres.ReplicaDSNs = []string{cfg.Postgres.DSN} // is not a replica, but has metrics
	cfg.Mail.Mode, cfg.Mail.Host, cfg.Mail.Port, cfg.Mail.From = "smtp", "127.0.0.1", 1, "school@example.test"
	var m *telemetry.Server
	s, err := server.New(cfg, fx.Populate(&m))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.App().Transfers.ImportNew(t.Context(), transfer.Import{Open: demo.School}); err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s.URL(), m.Addr()
}

// send sends a request with the key of the demo school and returns the body of the response.
func send(t *testing.T, method, url, body string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Api-Key", demo.Key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// load reads a list, creates a group in bulk and invites a person.
func load(t *testing.T, url string, round int) {
	t.Helper()
	send(t, http.MethodGet, url+"/v2/people", "")
	send(t, http.MethodGet, url+"/v2/nothing", "")
	send(t, http.MethodPost, url+"/v2/bulk/groups",
		fmt.Sprintf(`{"data":{"type":"groups","attributes":{"groups":[{"name":"Group %d"}]}}}`, round))
	send(t, http.MethodPost, url+"/v2/people",
		fmt.Sprintf(`{"data":{"type":"people","attributes":{"email":"p%d@example.test"}}}`, round))
}

// waitFor calls done until it reports true, at most for half a minute.
func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for range 300 {
		if done() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("%s: not within 30 seconds", what)
}

// dashboard returns the queries of the dashboard by the titles of their panels.
func dashboard(t *testing.T) map[string][]string {
	t.Helper()
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	text, err := os.ReadFile(folder + "grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	queries := map[string][]string{}
	for _, p := range board.Panels {
		for _, target := range p.Targets {
			queries[p.Title] = append(queries[p.Title], target.Expr)
		}
	}
	return queries
}

// alerts returns the expressions of the alert rules by name.
func alerts(t *testing.T) map[string]string {
	t.Helper()
	var file struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	text, err := os.ReadFile(folder + "alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	rules := map[string]string{}
	for _, g := range file.Groups {
		for _, r := range g.Rules {
			rules[r.Alert] = r.Expr
		}
	}
	return rules
}

var metricName = regexp.MustCompile(`\b(?:lyceum|process|go)_[a-z_]+`)

// names returns the sorted names of the metrics in the queries.
func names(queries ...string) []string {
	found := metricName.FindAllString(strings.Join(queries, "\n"), -1)
	slices.Sort(found)
	return slices.Compact(found)
}
