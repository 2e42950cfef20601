// These tests run the command line like a process, with arguments, environment variables, output
// and an exit code. They are in package cli, because it does not export its commands.
package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/test/kit/pgtest"
)

// asProcess is the environment variable that makes the test binary run as the lyceum command.
const asProcess = "LYCEUM_TEST_AS_PROCESS"

func TestMain(m *testing.M) {
	if os.Getenv(asProcess) != "" {
		Main()
	}
	pgtest.Main(m)
}

// environment contains the environment variables of a process.
type environment map[string]string

func (e environment) lookup(name string) (string, bool) {
	v, ok := e[name]
	return v, ok
}

// output is the output of a process. It can be read while the process runs.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// lyceum runs a command and waits until it ends.
func lyceum(t *testing.T, env environment, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err output
	code = terminal{out: &out, err: &err}.run(t.Context(), args, env.lookup)
	return code, out.String(), err.String()
}

// process is a command that runs concurrently with the test.
type process struct {
	stdout, stderr output
	stop           context.CancelFunc
	code           chan int
}

// start runs a command until the test ends or until stop is called.
func start(t *testing.T, env environment, args ...string) *process {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	p := &process{stop: cancel, code: make(chan int, 1)}
	go func() {
		p.code <- terminal{out: &p.stdout, err: &p.stderr}.run(ctx, args, env.lookup)
		close(p.code)
	}()
	t.Cleanup(func() {
		cancel()
		<-p.code
	})
	return p
}

// line waits for a line on standard output with the given prefix and returns the rest of the
// line.
func (p *process) line(t *testing.T, prefix string) string {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		for line := range strings.Lines(p.stdout.String()) {
			rest, ok := strings.CutPrefix(line, prefix)
			if ok && strings.HasSuffix(rest, "\n") {
				return strings.TrimSuffix(rest, "\n")
			}
		}
		select {
		case code, open := <-p.code:
			if open {
				t.Fatalf("the command ended with %d:\n%s", code, p.stderr.String())
			}
		default:
		}
	}
	t.Fatalf("no line %q in\n%s\n%s", prefix, p.stdout.String(), p.stderr.String())
	return ""
}

// eventually waits until so returns true, and fails the test after 20 s.
func eventually(t *testing.T, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it never came true")
		}
	}
}

// write creates a file with the given text and returns its name.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestUsage(t *testing.T) {
	tests := []struct {
		name string
		args []string
		code int
		err  string // prefix of standard error
	}{
		{"help", []string{"--help"}, 0, ""},
		{"help of a command", []string{"key", "create", "--help"}, 0, ""},
		{"nothing", nil, 0, ""},
		{"the command help", []string{"help"}, 0, ""},
		{"the command help of a command", []string{"help", "key", "create"}, 0, ""},
		{"no such command", []string{"sreve"}, 2, "lyceum: unexpected argument sreve"},
		{"no such flag", []string{"serve", "--adr=x"}, 2, "lyceum: unknown flag --adr"},
		{"a flag is missing", []string{"school", "create"}, 2, "lyceum: missing flags: --name"},
		{"a wrong number", []string{"demo", "--school=x", "--people=many"}, 2, "lyceum: --people: expected a valid"},
		{"two kinds of school", []string{"serve", "--demo", "--load=x"}, 2, "lyceum: --demo and --load can't be used together"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			code, stdout, stderr := lyceum(t, nil, tt.args...)
			is.Equal(code, tt.code)
			is.True(strings.HasPrefix(stderr, tt.err))
			is.Equal(strings.Count(stderr, "\n"), min(code, 1)) // an error is one line
			is.Equal(strings.HasPrefix(stdout, "Usage: lyceum"), code == 0)
		})
	}
}

func TestVersion(t *testing.T) {
	is := is.New(t)
	code, stdout, _ := lyceum(t, nil, "version")
	is.Equal(code, 0)
	lines := strings.Split(stdout, "\n")
	is.Equal(len(lines), 5)
	_, flag, _ := lyceum(t, nil, "--version")
	is.Equal(flag, stdout)
	for i, prefix := range []string{"lyceum ", "commit ", "committed ", "go1."} {
		is.True(strings.HasPrefix(lines[i], prefix) && len(lines[i]) > len(prefix)) // each line has its prefix and a value
	}
}

func TestVersionShowsBuildValues(t *testing.T) {
	is := is.New(t)
	defer func(v, c, d string) { version, commit, date = v, c, d }(version, commit, date)
	version, commit, date = "v1.2.3", "abcdef", "2026-01-02"
	_, stdout, _ := lyceum(t, nil, "version")
	is.True(strings.HasPrefix(stdout, "lyceum v1.2.3\ncommit abcdef\ncommitted 2026-01-02\n"))
}

func TestWithoutDatabase(t *testing.T) {
	const id = "018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d10"
	tests := map[string][]string{
		"migrate":             {"migrate"},
		"school create":       {"school", "create", "--name=x"},
		"school list":         {"school", "list"},
		"school rename":       {"school", "rename", "x", "y", "--yes"},
		"school update":       {"school", "update", "x", "--slug=y"},
		"school entry-secret": {"school", "entry-secret", "x"},
		"sign-in-link":        {"sign-in-link", "--school=x", "--person=a@b.test"},
		"school suspend":      {"school", "suspend", "x"},
		"school resume":       {"school", "resume", "x"},
		"school delete":       {"school", "delete", "x", "--yes"},
		"key create":          {"key", "create", "--school=x"},
		"key list":            {"key", "list", "--school=x"},
		"key revoke":          {"key", "revoke", id},
		"demo":                {"demo", "--school=x"},
		"reconcile":           {"reconcile", "--school=x"},
		"jobs list":           {"jobs", "list"},
		"jobs retry":          {"jobs", "retry", "--all-dead"},
	}
	for command, args := range tests {
		t.Run(command, func(t *testing.T) {
			is := is.New(t)
			code, stdout, stderr := lyceum(t, nil, args...)
			is.Equal(code, 1)
			is.Equal(stdout, "")
			is.Equal(stderr, "lyceum: "+command+": requires --store=postgres (--store=memory keeps no data; serve --demo has a school to try)\n")
		})
	}
}

func TestUnreachableDatabase(t *testing.T) {
	is := is.New(t)
	code, _, stderr := lyceum(t, environment{
		"LYCEUM_STORE": "postgres", "LYCEUM_DATABASE_CONNECT_TIMEOUT": "50ms",
		"LYCEUM_DATABASE_URL": "postgres://u:hunter2@127.0.0.1:1/d?sslmode=disable",
	}, "school", "list")
	is.Equal(code, 1)
	is.True(strings.HasPrefix(stderr, "lyceum: database.url: cannot open the database: "))
	is.Equal(strings.Count(stderr, "\n"), 1)
	is.True(!strings.Contains(stderr, "hunter2"))
}
