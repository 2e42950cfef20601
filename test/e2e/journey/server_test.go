package journey_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"lyceum/test/kit/mailtest"
	"lyceum/test/kit/pgtest"
)

// build builds the server program and returns its path.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "lyceum")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-tags", "nomsgpack", "-o", program, "lyceum/cmd/lyceum").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// onMemory starts a server on the memory store. The loaded school file contains only the name of
// the school.
func onMemory(t *testing.T, program string, post *mailtest.Server) client {
	t.Helper()
	file := filepath.Join(t.TempDir(), "school.jsonl")
	if err := os.WriteFile(file, []byte(`{"kind":"school","format":1,"name":"From Nothing"}`+"\n"+`{"kind":"end"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	said := serve(t, program, settings(t, post), "--load", file)
	return client{said(`Listening on (\S+)`), said(`Key "admin": (\S+)`)}
}

// onPostgres creates a school and a key in an empty database with commands, and starts a server.
func onPostgres(t *testing.T, program string, post *mailtest.Server) client {
	t.Helper()
	env := append(settings(t, post), "LYCEUM_STORE=postgres", "LYCEUM_DATABASE_URL="+pgtest.Fresh(t),
		"LYCEUM_DATABASE_POOL_SIZE=4", "LYCEUM_FILES_DIR="+t.TempDir())
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Env = env
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, stderr.String())
		}
		return strings.TrimSpace(string(out))
	}
	run("migrate")
	run("school", "create", "--name", "From Nothing")
	key := run("key", "create", "--school", "From Nothing", "--name", "Story")
	said := serve(t, program, env)
	return client{said(`Listening on (\S+)`), key}
}

// settings returns the environment of a server that sends its messages to post.
func settings(t *testing.T, post *mailtest.Server) []string {
	t.Helper()
	env := []string{
		"LYCEUM_MAIL_MODE=smtp", "LYCEUM_MAIL_TLS=none", "LYCEUM_MAIL_FROM=no-reply@school.example",
		"LYCEUM_MAIL_HOST=" + post.Host, "LYCEUM_MAIL_PORT=" + strconv.Itoa(post.Port),
	}
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "LYCEUM_") {
			env = append(env, variable)
		}
	}
	return env
}

// serve starts the server on a free port until the end of the test. It returns a function that
// waits for a line of output that matches a pattern, and returns the part of the line in the
// pattern's parentheses.
func serve(t *testing.T, program string, env []string, args ...string) (said func(pattern string) string) {
	t.Helper()
	var out output
	cmd := exec.Command(program, append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)
	cmd.Env, cmd.Stdout, cmd.Stderr = env, &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server ended: %v\n%s", err, out.String())
		}
	})
	return func(pattern string) string {
		t.Helper()
		for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
			if found := regexp.MustCompile(pattern + "\n").FindStringSubmatch(out.String()); found != nil {
				return found[1]
			}
		}
		t.Fatalf("the server did not say %s:\n%s", pattern, out.String())
		return ""
	}
}

// output is the output of a process. It can be read while the process runs.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write appends output of the process.
func (w *output) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

func (w *output) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}
