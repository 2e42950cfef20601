package cli

import (
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/test/kit/pgtest"
)

// A school is exported, imported under another name, exported again, and changed by an import of
// people from CSV.
func TestExportAndImport(t *testing.T) {
	is := is.New(t)
	env, dir := onPostgres(t, pgtest.DSN(t)), t.TempDir()
	files := "--files.dir=" + filepath.Join(dir, "files")
	name, other := "First "+uuid.NewString(), "Second "+uuid.NewString()
	id := must(t, env, "school", "create", "--name="+name)
	must(t, env, "demo", "--school", id, "--people=30", "--courses=3", "--categories=2", "--coupons=2", "--groups=4",
		"--enrollments=60", "--memberships=20", "--answers=50", "--events=70")
	first, second, third := filepath.Join(dir, "1.jsonl"), filepath.Join(dir, "2.jsonl"), filepath.Join(dir, "3.jsonl")
	is.Equal(must(t, env, "export", "--school", id, "-o", first, files), "")
	text, err := os.ReadFile(first)
	is.NoErr(err)
	is.Equal(must(t, env, "export", "--school", id, files), strings.TrimSpace(string(text)))
	is.Equal(must(t, env, "export", "--school", id, "-o", "-", files), strings.TrimSpace(string(text)))

	code, _, stderr := lyceum(t, env, "import", first, "--create", files)
	is.Equal(code, 1)
	is.Equal(stderr, "lyceum: school: a school named \""+name+"\" already exists\n")
	moved := strings.Replace(string(text), name, other, 1)
	is.NoErr(os.WriteFile(second, []byte(moved), 0o600))
	code, stdout, stderr := lyceum(t, env, "import", second, "--create", "--dry-run", files)
	is.Equal(code, 0)
	is.Equal(stdout, "")
	is.True(strings.HasSuffix(stderr, "Dry run: nothing was changed.\n"))
	made := must(t, env, "import", second, "--create", files)
	is.Equal(must(t, env, "export", "--school", made, "-o", third, files), "")
	again, err := os.ReadFile(third)
	is.NoErr(err)
	is.Equal(string(again), strings.Replace(moved, `"slug":"`+slugOf(name), `"slug":"`+slugOf(other), 1)) // the slug in the file was already taken

	people := filepath.Join(dir, "people.CSV")
	is.NoErr(os.WriteFile(people, []byte("email\nnew@example.test\nnew\n"), 0o600))
	code, _, stderr = lyceum(t, env, "import", people, "--school", made, files)
	is.Equal(code, 1)
	is.Equal(stderr, "lyceum: line 3: email: is not a valid email address\n")
	is.NoErr(os.WriteFile(people, []byte("email\nnew@example.test\n"), 0o600))
	code, _, stderr = lyceum(t, env, "import", people, "--school", made, files)
	is.Equal(code, 0)
	is.Equal(stderr, "KIND    CREATED  CHANGED  UNCHANGED\nperson  1        0        0\n")
	is.True(strings.Contains(must(t, env, "export", "--school", made, "--format=csv", files), "\nnew@example.test,,,,false,\n"))

	code, _, stderr = lyceum(t, env, "import", first, "--school", made, "--invite", files)
	is.Equal(code, 1)
	is.Equal(stderr, "lyceum: import --invite: is allowed only for CSV files\n")
	p := start(t, nil, "serve", free, "--load="+first)
	url := p.line(t, greeting)
	status, body, err := get(t.Context(), url+"/v2/export", p.line(t, `Key "admin": `))
	is.NoErr(err)
	is.Equal(status, http.StatusOK)
	is.Equal(body, string(text))

	code, _, _ = lyceum(t, env, "import", first, files)
	is.Equal(code, 2) // neither --school nor --create is given
}

// slugOf returns the slug of a school whose name consists of Latin letters, digits, hyphens and
// spaces.
func slugOf(name string) string { return strings.ReplaceAll(strings.ToLower(name), " ", "-") }

// An export replaces the file that a symbolic link names, and writes to a pipe without replacing it.
func TestExportToLinkAndPipe(t *testing.T) {
	is := is.New(t)
	env, files := onPostgres(t, pgtest.DSN(t)), "--files.dir="+t.TempDir()
	id := must(t, env, "school", "create", "--name=One "+uuid.NewString())
	want := must(t, env, "export", "--school", id, files)
	dir := t.TempDir()
	target, link, pipe := filepath.Join(dir, "target"), filepath.Join(dir, "link"), filepath.Join(dir, "pipe")
	is.NoErr(os.WriteFile(target, []byte("old"), 0o600))
	is.NoErr(os.Symlink(target, link))
	must(t, env, "export", "--school", id, "-o", link, files)
	text, err := os.ReadFile(target)
	is.NoErr(err)
	is.Equal(strings.TrimSpace(string(text)), want)

	is.NoErr(syscall.Mkfifo(pipe, 0o600))
	read := make(chan string, 1)
	go func() {
		text, err := os.ReadFile(pipe)
		read <- fmt.Sprint(strings.TrimSpace(string(text)), err)
	}()
	must(t, env, "export", "--school", id, "-o", pipe, files)
	is.Equal(<-read, want+"<nil>")
	info, err := os.Stat(pipe)
	is.NoErr(err)
	is.True(info.Mode().Type() == fs.ModeNamedPipe)
}
