package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/contract"
)

const root = "../../"

// quoted returns the texts between backticks in a column of the tables of docs/api.md. The first
// column is 1.
func quoted(t *testing.T, column int) []string {
	t.Helper()
	text, err := os.ReadFile(root + "docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for line := range strings.Lines(string(text)) {
		if cells := strings.Split(line, "|"); len(cells) > column {
			for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[column], -1) {
				all = append(all, m[1])
			}
		}
	}
	return all
}

// TestTheTableHasEveryOperation checks that docs/api.md has a row for every operation of the API
// and for no other operation.
func TestTheTableHasEveryOperation(t *testing.T) {
	is := is.New(t)
	described, err := contract.Description()
	is.NoErr(err)
	var listed []string
	for _, operation := range quoted(t, 1) {
		if regexp.MustCompile(`^(GET|POST|PUT|PATCH|DELETE) /`).MatchString(operation) {
			listed = append(listed, regexp.MustCompile(`\{[a-z]+\}`).ReplaceAllString(operation, "{}"))
		}
	}
	slices.Sort(listed)
	is.Equal(listed, slices.Compact(slices.Clone(listed))) // no duplicates
	is.Equal(listed, described.Operations())
}

// TestEveryTestThatIsNamedExists checks that the tests and subtests named in docs/api.md exist.
func TestEveryTestThatIsNamedExists(t *testing.T) {
	is := is.New(t)
	named := quoted(t, 2)
	is.True(len(named) > 100)
	for _, name := range named {
		if problem := missing(t, name); problem != "" {
			t.Errorf("docs/api.md names %s: %s", name, problem)
		}
	}
	for name, exists := range map[string]bool{
		"test/api/apitest Golden/group": true, "test/api/apitest Golden": true, "app TestUpdateGroup": true,
		"domain/query FuzzBuild": true, "test/e2e/browser/run": true,
		"test/api/apitest Silver": false, "test/api/apitest Golden/gruppe": false, "app TestRenaming": false,
		"nowhere TestUpdateGroup": false, "test/e2e/browser/walk": false,
	} {
		is.Equal(missing(t, name) == "", exists) // name exists only if exists is true
	}
}

// TestGoldenTarget checks that make golden runs parts of the suite that exist. A pattern that
// matches no test would succeed without a change.
func TestGoldenTarget(t *testing.T) {
	is := is.New(t)
	makefile, err := os.ReadFile(root + "Makefile")
	is.NoErr(err)
	m := regexp.MustCompile(`\./(\S+) .*-run '\^(\w+)\$\$/\^\(([\w|]+)\)\$\$' -update`).FindStringSubmatch(string(makefile))
	is.True(m != nil) // the target has the expected form
	for _, name := range append(strings.Split(m[3], "|"), m[2]) {
		is.Equal(missing(t, m[1]+" "+name), "")
	}
}

// missing returns the reason why a test does not exist, or "" if it exists. name is a file, or a
// folder and a test, possibly with a subtest. A test whose name does not start with Test or Fuzz is
// an entry in the table of a suite, whose subtests may be in packages below the folder.
func missing(t *testing.T, name string) string {
	t.Helper()
	dir, test, isTest := strings.Cut(name, " ")
	if !isTest {
		if _, err := os.Stat(root + name); err != nil {
			return "no such file"
		}
		return ""
	}
	top, sub, _ := strings.Cut(test, "/")
	start, source := "func "+top+"(", sources(t, dir)
	if !strings.HasPrefix(top, "Test") && !strings.HasPrefix(top, "Fuzz") {
		start = "\t\t{\"" + top + "\", " // a part of a suite
		source += sources(t, dir+"/*")   // the functions of the parts may be in packages below dir
	}
	switch {
	case !strings.Contains(source, start):
		return "no such test"
	case sub != "" && !strings.Contains(source, `"`+sub+`"`):
		return "no such subtest"
	}
	return ""
}

// sources returns the text of the Go files in a folder. dir can be a pattern that matches several.
func sources(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(root + dir + "/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}
