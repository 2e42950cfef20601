package docs_test

import (
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
)

var status = regexp.MustCompile(`^Status: (?:accepted|superseded by ).* · Date: \d{4}-\d{2}-\d{2}$`)

// TestDecisions checks that every decision record follows the template of docs/style.md, that its
// number is the number of its file, and that the number is unique.
func TestDecisions(t *testing.T) {
	is := is.New(t)
	seen := map[string]string{} // page by number
	for _, p := range pages(t) {
		if path.Dir(p.path) != "docs/adr" {
			continue
		}
		lines := strings.Split(p.text, "\n")
		number, _, _ := strings.Cut(path.Base(p.path), "-")
		if other := seen[number]; other != "" {
			t.Errorf("%s and %s have the same number", other, p.path)
		}
		seen[number] = p.path
		if !strings.HasPrefix(lines[0], "# "+number+" ") {
			t.Errorf("%s: the title is %q", p.path, lines[0])
		}
		if len(lines) < 3 || !status.MatchString(lines[2]) {
			t.Errorf("%s: no line with status and date", p.path)
		}
		var headings []string
		for _, m := range regexp.MustCompile(`(?m)^## (.+)$`).FindAllStringSubmatch(p.prose(), -1) {
			headings = append(headings, m[1])
		}
		if got := strings.Join(headings, ", "); got != "Context, Decision, Consequences, Alternatives considered" {
			t.Errorf("%s: the headings are %s", p.path, got)
		}
	}
	is.True(len(seen) > 30)
}
