package monitoring_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
)

var withPrometheus = flag.Bool("prometheus", false, "run the tests that need the programs prometheus and promtool")

// TestDashboard runs every query of the dashboard in a Prometheus server that scrapes Lyceum.
func TestDashboard(t *testing.T) {
	if !*withPrometheus {
		t.Skip("needs the flag -prometheus; make test-monitoring sets it")
	}
	is := is.New(t)
	lyceum, metrics := start(t)
	api := prometheus(t, metrics)
	round := 0
	for title, queries := range dashboard(t) {
		for _, query := range queries {
			query = strings.NewReplacer("$__rate_interval", "5s", "$instance", ".*").Replace(query)
			waitFor(t, title+": "+query, func() bool {
				load(t, lyceum, round)
				round++
				var result struct {
					Status, Error string
					Data          struct{ Result []any }
				}
				text := send(t, http.MethodGet, api+"/api/v1/query?query="+url.QueryEscape(query), "")
				is.NoErr(json.Unmarshal([]byte(text), &result))
				if result.Status != "success" {
					t.Fatalf("%s: %s: %s", title, query, result.Error)
				}
				return len(result.Data.Result) > 0
			})
		}
	}
}

// TestAlerts runs the unit tests of the alert rules, and checks the configuration of Prometheus.
func TestAlerts(t *testing.T) {
	if !*withPrometheus {
		t.Skip("needs the flag -prometheus; make test-monitoring sets it")
	}
	for _, args := range [][]string{
		{"check", "config", folder + "prometheus.yaml"},
		{"test", "rules", folder + "alerts_test.yaml"},
	} {
		if out, err := exec.CommandContext(t.Context(), "promtool", args...).CombinedOutput(); err != nil {
			t.Errorf("promtool %v: %v: %s", args, err, out)
		}
	}
	tested, err := os.ReadFile(folder + "alerts_test.yaml")
	is.New(t).NoErr(err)
	for name := range alerts(t) {
		if !strings.Contains(string(tested), "alertname: "+name+"\n") {
			t.Errorf("alerts_test.yaml has no case in which %s fires", name)
		}
	}
}

// prometheus runs a Prometheus server that scrapes target every second, until the test ends, and
// returns its URL.
func prometheus(t *testing.T, target string) string {
	t.Helper()
	dir := t.TempDir()
	config := filepath.Join(dir, "prometheus.yaml")
	text := fmt.Sprintf("global: {scrape_interval: 1s}\nscrape_configs: [{job_name: lyceum, static_configs: [{targets: [%q]}]}]\n", target)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	addr := freeAddr(t)
	cmd := exec.Command("prometheus", "--config.file="+config, "--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+addr)
	if err := cmd.Start(); err != nil {
		t.Fatalf("%v; install it (Debian: apt-get install prometheus)", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	waitFor(t, "prometheus", func() bool {
		response, err := http.Get("http://" + addr + "/-/ready")
		if err != nil {
			return false
		}
		_ = response.Body.Close()
		return response.StatusCode == http.StatusOK
	})
	return "http://" + addr
}

// freeAddr returns a loopback address with a free port.
func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}
