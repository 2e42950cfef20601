package docs_test

import (
	"fmt"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)|\b(?:src|srcset)="([^"]+)"`)
	heading = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	noSlug  = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
	linked  = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// TestLinks checks that the target of every link into the repository exists, both the file and the
// heading.
func TestLinks(t *testing.T) {
	is := is.New(t)
	checked := 0
	for _, p := range pages(t) {
		for _, target := range p.links() {
			checked++
			if problem := broken(p.path, target); problem != "" {
				t.Errorf("%s: %s: %s", p.path, target, problem)
			}
		}
	}
	is.True(checked > 50)
	for target, works := range map[string]bool{
		"http.md": true, "http.md#lists": true, "../README.md#run-on-postgresql": true, "#settings": true, "adr": true,
		"nothing.md": false, "http.md#nothing": false, "#nothing": false, "adr/0099-nothing.md": false, "../../outside": false,
	} {
		is.Equal(broken("docs/configuration.md", target) == "", works) // target is not broken only if works is true
	}
}

// links returns the targets of all links into the repository.
func (p page) links() []string {
	var all []string
	for _, m := range link.FindAllStringSubmatch(span.ReplaceAllString(p.prose(), "code"), -1) {
		target := m[1] + m[2]
		if !strings.Contains(target, "://") && !strings.HasPrefix(target, "mailto:") {
			all = append(all, target)
		}
	}
	return all
}

// broken returns the reason why a link on the page from is broken, or "" if it works.
func broken(from, target string) string {
	file, anchor, hasAnchor := strings.Cut(target, "#")
	to := from
	if file != "" {
		to = path.Join(path.Dir(from), file)
	}
	if strings.HasPrefix(to, "..") {
		return "leads out of the repository"
	}
	if _, err := os.Stat(root + to); err != nil {
		return "no such file"
	}
	if !hasAnchor {
		return ""
	}
	text, err := os.ReadFile(root + to)
	if err != nil {
		return err.Error()
	}
	if !anchors(page{to, string(text)})[anchor] {
		return "no such heading"
	}
	return ""
}

// anchors returns the anchors that GitHub creates for the headings of a page.
func anchors(p page) map[string]bool {
	all := map[string]bool{}
	seen := map[string]int{}
	for _, m := range heading.FindAllStringSubmatch(p.prose(), -1) {
		title := linked.ReplaceAllString(m[1], "$1")
		slug := strings.ReplaceAll(noSlug.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), ""), " ", "-")
		if n := seen[slug]; n > 0 {
			all[fmt.Sprintf("%s-%d", slug, n)] = true
		}
		seen[slug]++
		all[slug] = true
	}
	return all
}
