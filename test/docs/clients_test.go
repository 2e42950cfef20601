package docs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/lyceumtest"
)

// TestClientRecipes runs the curl commands of docs/clients.md against the demo school.
func TestClientRecipes(t *testing.T) {
	is := is.New(t)
	demo := lyceumtest.Start(t, lyceumtest.WithDemo())
	lines := console(t, "docs/clients.md", "Recipes")
	is.Equal(lines[0], "URL=http://127.0.0.1:8080 KEY="+demo.Key) // the same URL and key that make run prints
	lines[0] = "URL=" + demo.URL + " KEY=" + demo.Key
	dir := t.TempDir()
	responses := shell(t, dir, lines)
	for i, response := range responses {
		if strings.Contains(response, `"errors":[{`) && !strings.Contains(response, `"rows_failed":1`) {
			t.Errorf("%s\n%s", lines[i], response)
		}
	}
	is.Equal(len(responses), 11)
	is.True(strings.Contains(responses[3], "HTTP/1.1 204"))         // the person is enrolled
	is.True(strings.Contains(responses[5], "activity_completions")) // the activity is completed
	is.True(strings.Contains(responses[6], `"progress":`))
	is.True(!strings.Contains(responses[6], `"progress":0`))
	people, err := os.ReadFile(filepath.Join(dir, "people.json"))
	is.NoErr(err)
	is.True(strings.Count(string(people), `"links":{"self":"`+demo.URL) > 2) // several pages
	is.True(strings.Contains(string(people), "grace@example.test"))
	is.True(strings.Contains(responses[10], "/data/attributes/people/1/email"))
}

// TestReferenceRecipes checks that the API description has the same commands as docs/clients.md,
// which TestClientRecipes runs.
func TestReferenceRecipes(t *testing.T) {
	is := is.New(t)
	const description = "adapters/httpapi/openapi/description.md"
	tested := strings.Join(console(t, "docs/clients.md", "Recipes"), "\n") + "\n"
	count := 0
	for _, after := range strings.Split(section(t, description, "Recipes"), "\n```sh\n")[1:] {
		commands, _, _ := strings.Cut(after, "```")
		for line := range strings.Lines(strings.ReplaceAll(commands, " \\\n  ", " ")) {
			if !strings.Contains(tested, line) {
				t.Errorf("%s has a command that docs/clients.md does not have:\n%s", description, line)
			}
			count++
		}
	}
	is.Equal(count, strings.Count(tested, "\n")-1) // all but the URL and the key
}
