package docs_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// examples is the page that also names files and tests that do not exist, as examples.
const examples = "docs/style.md"

// repository contains the names that pages can refer to.
type repository struct {
	files   map[string]bool // base names
	sources string          // text of all source files
	make    string          // text of the Makefile
	lyceum  commandLine
}

// TestNames checks that every file, make target, command, flag, variable and test that a page names
// exists.
func TestNames(t *testing.T) {
	is := is.New(t)
	r := load(t)
	checked := 0
	for _, p := range pages(t) {
		for _, n := range p.named() {
			checked++
			if problem := r.problem(p.path, n); problem != "" {
				t.Errorf("%s: %s: %s", p.path, n, problem)
			}
		}
	}
	is.True(checked > 500)
	for text, works := range map[string]bool{
		"make test-faults FAULTS=vanish": true, "make nothing": false, "make test NOTHING=1": false,
		"lyceum serve --load x": true, "lyceum nothing": false, "lyceum serve --nothing": false, "lyceum key nothing": false,
		"./bin/lyceum key create --scope read": true, "--tls.mode": true, "--nothing": false,
		"LYCEUM_TLS_MODE": true, "LYCEUM_NOTHING": false, "export LYCEUM_NOTHING=1": false,
		"domain/query": true, "domain/<noun>/fields.go": true, "domain/nothing": false, "./test/nothing": false,
		"test/docs/names_test.go": true, "names_test.go": true, "nothing.go": false,
		"TestNames": true, "TestNothingAtAll": false,
	} {
		is.Equal(r.problem("docs/http.md", text) == "", works) // text has no problem only if works is true
	}
}

// named returns the texts on the page that can be names: the texts between backticks and the lines
// of code blocks.
func (p page) named() []string {
	all := p.spans()
	for _, b := range p.blocks() {
		for line := range strings.Lines(b) {
			all = append(all, strings.TrimPrefix(strings.TrimSpace(line), "$ "))
		}
	}
	return all
}

var (
	makes    = regexp.MustCompile(`^make ([a-z][a-z-]*)((?: [A-Z]+=\S+)*)`)
	made     = regexp.MustCompile(`([A-Z]+)=`)
	lyceums  = regexp.MustCompile(`(?:^|\$\()(?:\./bin/)?lyceum ([a-z<][^|>&#)]*)`)
	variable = regexp.MustCompile(`\bLYCEUM_[A-Z_]*[A-Z]\b`)
	flags    = regexp.MustCompile(`^--[a-z]`)
	located  = regexp.MustCompile(`^(?:\./)?((?:adapters|app|cmd|docs|domain|examples|ports|sdk|test|\.ci)/[\w./<>*-]*)$`)
	file     = regexp.MustCompile(`^[a-z0-9_]+\.(?:go|cjs|sql|sh|md)$`)
	tests    = regexp.MustCompile(`^Test[A-Z]\w+$`)
	wildcard = regexp.MustCompile(`<\w+>`)
)

// problem returns the reason why a text on the page from is wrong, or "" if all names in the text
// exist.
func (r *repository) problem(from, text string) string {
	if m := makes.FindStringSubmatch(text); m != nil {
		if !strings.Contains(r.make, "\n"+m[1]+":") {
			return "no such target of make"
		}
		for _, v := range made.FindAllStringSubmatch(m[2], -1) {
			if !strings.Contains(r.make, "$("+v[1]+")") {
				return "the Makefile does not use " + v[1]
			}
		}
	}
	for _, m := range lyceums.FindAllStringSubmatch(text, -1) {
		if problem := r.lyceum.problem(strings.Fields(m[1])); problem != "" {
			return problem
		}
	}
	if flags.MatchString(text) {
		if problem := r.lyceum.anywhere(strings.Fields(text)[0]); problem != "" {
			return problem
		}
	}
	for _, v := range variable.FindAllString(text, -1) {
		if !strings.Contains(r.lyceum.help, "$"+v+")") && !strings.Contains(r.sources, v) {
			return "nothing reads " + v
		}
	}
	for _, word := range strings.Fields(text) {
		if m := located.FindStringSubmatch(strings.Trim(word, "'\",;:()")); m != nil && from != examples && !exists(from, m[1]) {
			return "no such file: " + m[1]
		}
	}
	switch {
	case from == examples:
	case file.MatchString(text) && !r.files[text]:
		return "no file has this name"
	case tests.MatchString(text) && !strings.Contains(r.sources, "func "+text+"("):
		return "no such test"
	}
	return ""
}

// exists reports whether a path, relative to the root or to the page, leads to a file. A part in
// angle brackets matches any name.
func exists(from, name string) bool {
	pattern := wildcard.ReplaceAllString(strings.TrimSuffix(name, "/"), "*")
	pattern = strings.TrimSuffix(pattern, "/...")
	for _, base := range []string{"", path.Dir(from) + "/"} {
		if found, err := filepath.Glob(root + base + pattern); err == nil && len(found) > 0 {
			return true
		}
	}
	return false
}

func load(t *testing.T) *repository {
	t.Helper()
	r := &repository{files: map[string]bool{}, lyceum: describe(t)}
	var sources strings.Builder
	err := filepath.WalkDir(strings.TrimSuffix(root, "/"), func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if slices.Contains([]string{".git", ".cache", "bin", "node_modules"}, entry.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		r.files[entry.Name()] = true
		isSource := slices.Contains([]string{".go", ".sh", ".cjs"}, path.Ext(name)) || entry.Name() == "run" || entry.Name() == "Makefile"
		if !isSource || strings.HasSuffix(filepath.ToSlash(name), "test/docs/names_test.go") {
			return nil
		}
		text, err := os.ReadFile(name)
		sources.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(root + "Makefile")
	if err != nil {
		t.Fatal(err)
	}
	r.sources, r.make = sources.String()+"func TestNames(", string(text)
	return r
}
