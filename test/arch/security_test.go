package arch_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// TestSecurityPageNamesTestsThatExist checks that docs/security.md has a row for each of the ten
// OWASP API security risks, and that each row names existing tests.
func TestSecurityPageNamesTestsThatExist(t *testing.T) {
	is := is.New(t)
	page, err := os.ReadFile("../../docs/security.md")
	is.NoErr(err)
	exist := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	is.NoErr(filepath.WalkDir("../..", func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, found := range declared.FindAllSubmatch(source, -1) {
			exist[string(found[1])] = true
		}
		return err
	}))
	risk, named := regexp.MustCompile(`^\| (API\d+) `), regexp.MustCompile("`(Test\\w+)`")
	rows := map[string]bool{}
	for line := range strings.Lines(string(page)) {
		tests := named.FindAllStringSubmatch(line, -1)
		if row := risk.FindStringSubmatch(line); row != nil {
			rows[row[1]] = true
			is.True(len(tests) > 0) // a risk has at least one test
		}
		for _, name := range tests {
			if !exist[name[1]] {
				t.Errorf("docs/security.md names %s, which does not exist", name[1])
			}
		}
	}
	is.Equal(len(rows), 10)
}
