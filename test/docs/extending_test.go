package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// goBlock matches a Go code block.
var goBlock = regexp.MustCompile("(?s)```go\n(.*?)```")

// TestExtending checks that the Go code in docs/extending.md and docs/adding-a-store.md is part of
// the examples, which make test-examples compiles and tests.
func TestExtending(t *testing.T) {
	var examples strings.Builder
	err := filepath.WalkDir(root+"examples", func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") {
			text, errRead := os.ReadFile(path)
			examples.Write(text)
			return errRead
		}
		return err
	})
	is.New(t).NoErr(err)
	for _, page := range []string{"docs/extending.md", "docs/adding-a-store.md"} {
		text, err := os.ReadFile(root + page)
		is.New(t).NoErr(err)
		blocks := goBlock.FindAllStringSubmatch(string(text), -1)
		if len(blocks) == 0 {
			t.Errorf("%s has no code", page)
		}
		for _, b := range blocks {
			if !strings.Contains(examples.String(), b[1]) {
				t.Errorf("%s: not in the examples:\n%s", page, b[1])
			}
		}
	}
}

// TestWorkspace runs the commands of docs/extending.md that create a module next to a checkout of
// the server.
func TestWorkspace(t *testing.T) {
	is := is.New(t)
	dir := filepath.Join(t.TempDir(), "academy")
	is.NoErr(os.CopyFS(dir, os.DirFS(root+"examples/academy")))
	is.NoErr(os.RemoveAll(filepath.Join(dir, "readonly")))
	for _, file := range []string{"go.mod", "go.sum", "rules_test.go", "academy_test.go"} {
		is.NoErr(os.Remove(filepath.Join(dir, file)))
	}
	here, err := filepath.Abs(root)
	is.NoErr(err)
	lines := console(t, "docs/extending.md", "Make a module")
	is.Equal(len(lines), 3)
	for i := range lines {
		lines[i] = strings.Replace(lines[i], "../lyceum", here, 1)
	}
	shell(t, dir, append(lines, "./academy version"), "GOWORK=")
}

// TestExampleVersions checks that examples/academy requires the same versions of modules as the
// server.
func TestExampleVersions(t *testing.T) {
	is := is.New(t)
	own, err := os.ReadFile(root + "go.mod")
	is.NoErr(err)
	versions := strings.Fields(string(own))
	example, err := os.ReadFile(root + "examples/academy/go.mod")
	is.NoErr(err)
	lines := strings.Split(string(example), "\n")
	is.True(slices.Contains(lines, "require lyceum v0.0.0"))
	is.True(slices.Contains(lines, "replace lyceum => ../.."))
	for _, line := range lines {
		fields := strings.Fields(line)
		if len(fields) < 2 || !strings.Contains(fields[0], "/") {
			continue
		}
		if i := slices.Index(versions, fields[0]); i < 0 || versions[i+1] != fields[1] {
			t.Errorf("%s is not the version of the server", line)
		}
	}
}
