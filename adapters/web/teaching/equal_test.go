package teaching_test

import (
	"regexp"
	"strings"
	"testing"

	"lyceum/test/kit/stores"
)

// tokens matches the tokens of forms, which are random.
var tokens = regexp.MustCompile(`name="form_token" value="[^"]+"`)

// Every page that can be read has the same text on both stores.
func TestPagesAreTheSameOnBothStores(t *testing.T) {
	stores.Same(t, 100, func(t *testing.T, open stores.Opener) map[string]string {
		s := newServer(t, open)
		names, seen := s.records(t), map[string]string{}
		for role, email := range people {
			b := s.as(t, email)
			for _, r := range requests {
				// A store decides in which order the records of an import are in the audit trail.
				if !strings.HasPrefix(r.pattern, "GET") || r.path == "/audit" {
					continue
				}
				p := b.get(names.Replace(r.path))
				body := tokens.ReplaceAllString(p.body, "")
				seen[role+" "+r.path] = strings.ReplaceAll(body, s.origin, "https://origin.test")
			}
		}
		return seen
	})
}
