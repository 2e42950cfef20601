// Package docs_test checks README.md and the pages in docs. It runs their commands as printed and
// checks that all files, tests and settings that they name exist.
package docs_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"lyceum/test/kit/pgtest"
)

func TestMain(m *testing.M) {
	pgtest.Main(m, func() error { return os.RemoveAll(programDir) })
}

// programDir is the folder of the program; blank if no test has built it.
var programDir string

// program builds the program once, and returns its path.
var program = sync.OnceValues(func() (path string, err error) {
	if programDir, err = os.MkdirTemp("", "lyceum-docs-"); err != nil {
		return "", err
	}
	path = filepath.Join(programDir, "lyceum")
	build := exec.CommandContext(context.Background(), "go", "build", "-tags", "nomsgpack", "-ldflags", "-s -w", "-o", path, "lyceum/cmd/lyceum")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})

// workDir returns a temporary folder that contains docs, and the program as bin/lyceum.
func workDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	docs, err := filepath.Abs(root + "docs")
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(os.Mkdir(filepath.Join(dir, "bin"), 0o700), os.Symlink(path, filepath.Join(dir, "bin", "lyceum")),
		os.Symlink(docs, filepath.Join(dir, "docs")))
	if err != nil {
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
