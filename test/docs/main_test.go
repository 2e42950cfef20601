// Package docs_test checks README.md and the pages in docs. It runs their commands as printed and
// checks that all files, tests and settings that they name exist.
package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"lyceum/test/kit/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// workDir returns a temporary folder that contains docs, and the program as bin/lyceum.
func workDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-tags", "nomsgpack", "-o", filepath.Join(dir, "bin", "lyceum"), "lyceum/cmd/lyceum")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	docs, err := filepath.Abs(root + "docs")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(docs, filepath.Join(dir, "docs")); err != nil {
		t.Fatal(err)
	}
	return dir
}

const mark = "-- "

// shell runs the lines in dir and returns the output of each line. The environment contains no
// settings except those in env.
func shell(t *testing.T, dir string, lines []string, env ...string) []string {
	t.Helper()
	script := "SERVER=\ntrap '[ -z \"$SERVER\" ] || kill $SERVER 2>/dev/null || :' EXIT\n"
	for _, line := range lines {
		script += "echo '" + mark + "'\n" + line + "\necho\n"
	}
	sh := exec.CommandContext(t.Context(), "sh", "-eu")
	sh.Dir, sh.Stdin = dir, strings.NewReader(script)
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "LYCEUM_") {
			sh.Env = append(sh.Env, variable)
		}
	}
	sh.Env = append(sh.Env, env...)
	out, err := sh.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	responses := strings.Split(string(out), mark)[1:]
	if len(responses) != len(lines) {
		t.Fatalf("got %d responses to %d lines\n%s", len(responses), len(lines), out)
	}
	return responses
}
