// Package readme_test keeps the README true: its first steps are run as they
// are printed, line by line, against the demo school, and so is its story of a
// school from nothing.
package docs_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/lyceumtest"
)

// console returns the console lines of a section, without their prompts.
func console(t *testing.T, title string) []string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "\n## "+title+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var lines []string
	for line := range strings.Lines(section) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			lines = append(lines, strings.TrimSpace(command))
		}
	}
	if !found || len(lines) == 0 {
		t.Fatalf("the README has no lines below %q", title)
	}
	return lines
}

func TestTheFirstStepsWorkAsPrinted(t *testing.T) {
	is := is.New(t)
	demo := lyceumtest.Start(t, lyceumtest.WithDemo())
	lines := console(t, "First steps")
	is.Equal(lines[0], "URL=http://127.0.0.1:8080 KEY="+demo.Key) // what make run prints
	lines[0] = "URL=" + demo.URL + " KEY=" + demo.Key

	const mark = "-- "
	var script strings.Builder
	for _, line := range lines {
		script.WriteString("echo '" + mark + "'\n" + line + "\necho\n")
	}
	shell := exec.CommandContext(t.Context(), "sh", "-eu")
	shell.Stdin = strings.NewReader(script.String())
	out, err := shell.CombinedOutput()
	is.NoErr(err)
	answers := strings.Split(string(out), mark)[1:]
	is.Equal(len(answers), len(lines))
	for i, line := range lines {
		answer := answers[i]
		if strings.Contains(answer, `"errors"`) {
			t.Errorf("%s\n%s", line, answer)
		}
		switch {
		case strings.HasPrefix(line, "curl -s -i"): // relationships and deletion
			if !strings.HasPrefix(strings.TrimSpace(answer), "HTTP/1.1 204") {
				t.Errorf("%s\n%s", line, answer)
			}
		case strings.HasPrefix(line, "curl -s -f"): // a file
			if !strings.Contains(answer, "Handed in by") {
				t.Errorf("%s\n%s", line, answer)
			}
		case strings.HasPrefix(line, "curl"):
			if !strings.Contains(answer, `"id":"`) {
				t.Errorf("%s\n%s", line, answer)
			}
		}
	}
}
