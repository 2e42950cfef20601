package monitoring_test

import (
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// TestMetricsExist checks that a server exports every metric that the dashboard and the alert rules
// use, and that the dashboard shows every metric of the server.
func TestMetricsExist(t *testing.T) {
	is := is.New(t)
	queries := slices.Concat(slices.Collect(maps.Values(dashboard(t)))...)
	shown := names(queries...)
	used := names(slices.AppendSeq(queries, maps.Values(alerts(t)))...)
	is.True(len(shown) > 15)

	url, metrics := start(t)
	load(t, url, 0)
	var scrape string
	waitFor(t, "metrics of jobs", func() bool {
		scrape = send(t, http.MethodGet, "http://"+metrics+"/metrics", "")
		return strings.Contains(scrape, `lyceum_jobs_total{kind="bulk"`) && strings.Contains(scrape, "lyceum_queue_late_seconds{")
	})
	for _, name := range used {
		if !strings.Contains(scrape, "\n"+name+"{") && !strings.Contains(scrape, "\n"+name+" ") {
			t.Errorf("the server does not export %s", name)
		}
	}
	for line := range strings.Lines(scrape) {
		if name, ok := strings.CutPrefix(line, "# TYPE lyceum_"); ok {
			name = "lyceum_" + strings.Fields(name)[0]
			if !slices.ContainsFunc(shown, func(s string) bool { return strings.HasPrefix(s, name) }) {
				t.Errorf("the dashboard does not show %s", name)
			}
		}
	}
}

// TestAlertsAreDocumented checks that docs/operations/incidents.md has a row for each alert rule.
func TestAlertsAreDocumented(t *testing.T) {
	is := is.New(t)
	page, err := os.ReadFile("../../../docs/operations/incidents.md")
	is.NoErr(err)
	is.True(len(alerts(t)) > 5)
	for name := range alerts(t) {
		if !strings.Contains(string(page), "\n| `"+name+"` |") {
			t.Errorf("docs/operations/incidents.md has no row for %s", name)
		}
	}
}
