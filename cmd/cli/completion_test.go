package cli

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
)

func TestCompletion(t *testing.T) {
	is := is.New(t)
	for _, tt := range []struct {
		words []string
		want  string
	}{
		{[]string{"sch"}, "school\n"},
		{[]string{"school", "re"}, "rename\nresume\n"},
		{[]string{"key", "create", "--sc"}, "--school\n--scope\n"},
		{[]string{"import", "x"}, ""}, // the shell completes the name of a file
		{[]string{"__"}, ""},
	} {
		code, stdout, _ := lyceum(t, nil, append([]string{"__complete"}, tt.words...)...)
		is.Equal(code, 0)
		is.Equal(stdout, tt.want)
	}
}

// A program with a name other than lyceum completes commands, flags and the names of files in each
// shell. The scripts in testdata use the completion of each shell.
func TestCompletionInShells(t *testing.T) {
	folder := t.TempDir()
	self, err := os.Executable()
	is.New(t).NoErr(err)
	is.New(t).NoErr(os.Symlink(self, filepath.Join(folder, "my-academy")))
	for _, name := range []string{"school.jsonl", "xyz.jsonl"} {
		is.New(t).NoErr(os.WriteFile(filepath.Join(folder, name), nil, 0o600))
	}
	lines := []string{"sch", "school ren", "key create --sco", "import x"}
	for shell, want := range map[string]string{
		"bash": "school\nrename\n--scope\n\n", // no word, so readline completes file names
		"zsh":  "school\nrename\n--scope\nxyz.jsonl\n",
		"fish": "school\nrename\n--scope\nxyz.jsonl\n",
	} {
		t.Run(shell, func(t *testing.T) {
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skipf("this machine has no %s", shell)
			}
			is := is.New(t)
			script, err := filepath.Abs(filepath.Join("testdata", "complete."+shell))
			is.NoErr(err)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, path, append([]string{script}, lines...)...)
			cmd.Dir = folder
			cmd.Env = append(os.Environ(), asProcess+"=1", "HOME="+folder, "PATH="+folder+":"+os.Getenv("PATH"))
			out, err := cmd.CombinedOutput()
			is.NoErr(err)
			is.Equal(string(out), want)
		})
	}
}

func TestProgramName(t *testing.T) {
	is := is.New(t)
	for arg, want := range map[string]string{"/usr/bin/lyceum": "lyceum", "./my-academy": "my-academy", "academy.exe": "academy"} {
		is.Equal(programName([]string{arg}), want)
	}
	run := func(args ...string) string {
		var out, err output
		terminal{program: "academy", out: &out, err: &err}.run(t.Context(), args, environment{}.lookup)
		is.True(!strings.Contains(out.String()+err.String(), "lyceum "))
		return out.String() + err.String()
	}
	is.True(strings.HasPrefix(run(), "Usage: academy <command>"))
	is.True(strings.HasPrefix(run("--version"), "academy "))
	is.True(strings.Contains(run("jobs", "retry", "--help"), "as shown by academy jobs list"))
	is.Equal(run("sreve"), "academy: unexpected argument sreve, did you mean \"serve\"? (see academy --help)\n")
	is.Equal(run("key", "revoke", "x"), "academy: key revoke: \"x\" is not a key ID; to list keys: academy key list\n")
	for _, shell := range []string{"bash", "zsh", "fish"} {
		is.True(strings.Contains(run("completion", shell), "academy __complete"))
	}
}
