package teaching

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// Names of texts in templates and in Go files.
var (
	inTemplate = regexp.MustCompile(`\.T "([^"]+)"`)
	inSection  = regexp.MustCompile(`section \. "[^"]*" "([^"]+)"`)
	inGo       = regexp.MustCompile(`\btf?\("([^"]+)"|add\("([^"]+)"|sorting\{"[^"]*", "([^"]+)"\}|\{"[^"{}]*", "([A-Z][^"{}]+)"\}|[nN]ame: "([A-Z][^"]+)"|findName: "([^"]+)"|What(?:, data\.Watched)? = "([^"]+)"|What: "([^"]+)"`)
)

// otherTexts contains texts whose names come from records.
var otherTexts = []string{
	"owner", "manager", "instructor", "member", "text", "video", "quiz", "assignment",
	"pending", "succeeded", "failed",
	"invitation email", "email with a sign-in link", "part of an import", "removal of a file", "removal of a course",
	"People could not sign in: no sign-in service is set up", "People could not sign in: your own website has no secret yet",
	"A sign-in link cannot be created for an owner of the school",
	"4 weeks", "12 weeks", "A year",
	"title", "kind", "length", "address of the video", "position", "questions",
}

// Every text has a translation, and every translation belongs to a text.
func TestTextsAreTranslated(t *testing.T) {
	is := is.New(t)
	used := map[string]bool{}
	for _, name := range otherTexts {
		used[name] = true
	}
	for _, status := range unusable {
		used[status] = true
	}
	for _, r := range rewordings {
		used[r.text] = true
	}
	find := func(content []byte, patterns ...*regexp.Regexp) {
		for _, pattern := range patterns {
			for _, found := range pattern.FindAllSubmatch(content, -1) {
				for _, name := range found[1:] {
					if len(name) > 0 {
						used[string(name)] = true
					}
				}
			}
		}
	}
	is.NoErr(fs.WalkDir(templateFiles, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := templateFiles.ReadFile(path)
		find(content, inTemplate, inSection)
		return err
	}))
	sources, err := filepath.Glob("*.go")
	is.NoErr(err)
	for _, path := range sources {
		content, err := os.ReadFile(path)
		is.NoErr(err)
		if !strings.HasPrefix(path, "german") && !regexp.MustCompile(`_test\.go$`).MatchString(path) {
			find(content, inGo)
		}
	}
	for name := range used {
		if german[name] == "" {
			t.Errorf("%q has no translation", name)
		}
	}
	for name := range german {
		if !used[name] {
			t.Errorf("the translation of %q is not used", name)
		}
	}
}
