package docs_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/lyceumtest"
)

// TestFirstSteps runs the first steps of docs/tutorial.md line by line against the demo school.
func TestFirstSteps(t *testing.T) {
	is := is.New(t)
	demo := lyceumtest.Start(t, lyceumtest.WithDemo())
	lines := console(t, "docs/tutorial.md", "First steps")
	is.Equal(lines[0], "URL=http://127.0.0.1:8080 KEY="+demo.Key) // the same URL and key that make run prints
	lines[0] = "URL=" + demo.URL + " KEY=" + demo.Key
	for i, response := range shell(t, t.TempDir(), lines) {
		line := lines[i]
		want := ""
		switch {
		case strings.HasPrefix(line, "curl -s -i"): // changes relationships or deletes
			want = "HTTP/1.1 204"
		case strings.HasPrefix(line, "curl -s -f"): // sends a file
			want = "Handed in by"
		case strings.HasPrefix(line, "curl"):
			want = `"id":"`
		}
		if strings.Contains(line, "/v1/") {
			t.Errorf("%s: v1 is not for new programs", line)
		}
		if !strings.Contains(response, want) || strings.Contains(response, `"errors"`) {
			t.Errorf("%s\n%s\nwant %s", line, response, want)
		}
	}
}
