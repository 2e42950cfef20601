package teaching_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/kit/stores"
)

// title returns the title of the page.
func (p page) title() string {
	found := regexp.MustCompile(`<title>(.*) · Riverside Academy</title>`).FindStringSubmatch(p.body)
	if found == nil {
		return ""
	}
	return found[1]
}

// The title of a page names the record that the page shows.
func TestTitlesNameRecords(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b, names := s.as(t, owner), s.records(t)
		nameless := s.add(t, b, "eve@example.test")
		group, _, _ := strings.Cut(b.post("/groups", "name", "Beekeepers").path, "?")
		const course, hook = "Seeing Light: Photography from the Start", "https://hooks.example.test"
		for path, title := range map[string]string{
			nameless:                               "eve@example.test",
			nameless + "/edit":                     "Edit eve@example.test",
			"/people/{instructor}":                 "Inês Carvalho",
			"/people/{instructor}/edit":            "Edit Inês Carvalho",
			"/people/{instructor}/remove":          "Remove Inês Carvalho?",
			ownCourse:                              course,
			ownCourse + "/edit":                    "Edit " + course,
			ownCourse + "/remove":                  "Remove " + course + "?",
			ownCourse + "/builder":                 "Build " + course,
			ownCourse + "/add?kind=text":           "New activity: text · " + course,
			ownCourse + "/builder/what-light-does": "Edit What light does · " + course,
			group:                                  "Beekeepers",
			group + "/remove":                      "Remove Beekeepers?",
			"/keys/{key}/revoke":                   "Revoke the API key Test?",
			"/webhooks/{endpoint}":                 "Webhook: " + hook,
			"/webhooks/{endpoint}/remove":          "Remove " + hook + "?",
		} {
			p := b.get(names.Replace(path))
			is.Equal(p.status, http.StatusOK)
			if p.title() != title {
				t.Errorf("%s: %q, want %q", path, p.title(), title)
			}
		}
		is.Equal(b.get("/answers").title(), "Answers of all learners")
		is.Equal(b.get(names.Replace("/answers?filter[person.id]={learner}")).title(), "Answers of 지우 박")
		results := b.get("/results")
		of := strings.ReplaceAll(strings.TrimPrefix(s.origin+hrefs(results.body, "/answers?")[0], s.base), "&amp;", "&")
		is.True(regexp.MustCompile(`^Answers of .+ to .+$`).MatchString(b.get(of).title()))
		is.True(b.get(of).has(`results" aria-current="page"`))
		is.Equal(b.post(ownCourse+"/builder", "kind", "text", "title", "Lenses").title(), "Review the changes: "+course)
		is.Equal(b.post(nameless+"/link").title(), "Sign-in link for eve@example.test")
		is.Equal(b.post(names.Replace("/people/{instructor}/link")).title(), "Sign-in link for Inês Carvalho")
		is.Equal(b.post(ownCourse+"/edit", "name", "").title(), "Edit course") // the form was refused
	})
}
