package sso_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// programs is the folder with the programs that TestMain builds.
var programs string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	var err error
	if programs, err = os.MkdirTemp("", "lyceum-sso-"); err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(programs) }()
	for name, at := range map[string][2]string{"lyceum": {"../../..", "./cmd/lyceum"}, "provider": {".", "./provider"}} {
		build := exec.Command("go", "build", "-tags", "nomsgpack", "-o", filepath.Join(programs, name), at[1])
		build.Dir, build.Stderr = at[0], os.Stderr
		if err := build.Run(); err != nil {
			panic(err)
		}
	}
	return m.Run()
}

// world is a server with the demo school, and a provider.
type world struct{ url, academy, key, issuer string }

func newWorld(t *testing.T, flags ...string) *world {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0") // the provider needs to know the address of the server
	if err != nil {
		t.Fatal(err)
	}
	addr := listener.Addr().String()
	_ = listener.Close()
	w := &world{url: "http://" + addr, academy: "http://" + addr + "/learn/riverside-academy"}
	w.issuer = start(t, regexp.MustCompile(`^(http://.*)$`), "provider", w.academy+"/sso/return")
	flags = append([]string{"serve", "--demo", "--addr=" + addr, "--outgoing.allow=127.0.0.1", "--log.level=error"}, flags...)
	w.key = start(t, regexp.MustCompile(`^Key "[^"]*": (.*)$`), "lyceum", flags...)
	return w
}

// start starts a program that runs until the end of the test, and returns the part of its output
// that line matches.
func start(t *testing.T, line *regexp.Regexp, name string, args ...string) string {
	t.Helper()
	process := exec.Command(filepath.Join(programs, name), args...)
	process.Stderr = os.Stderr
	out, err := process.StdoutPipe()
	if err == nil {
		err = process.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = process.Process.Signal(syscall.SIGTERM)
		_ = process.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if found := line.FindStringSubmatch(lines.Text()); found != nil {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return found[1]
		}
	}
	t.Fatalf("%s has stopped", name)
	return ""
}

// call calls the API and returns the body of the response.
func (w *world) call(t *testing.T, method, path, body string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, w.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Api-Key", w.key)
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= http.StatusBadRequest {
		t.Fatal(response.Status, string(text), err)
	}
	return string(text)
}

func (w *world) setProvider(t *testing.T, admits bool) {
	t.Helper()
	w.call(t, "PATCH", "/v2/school", fmt.Sprintf(`{"data":{"attributes":{"authentication":"sso","sso_issuer":%q,
		"sso_client_id":"lyceum","sso_client_secret":"only for tests","admits_new_people":%t}}}`, w.issuer, admits))
}

// courseLink creates a course and returns its enrollment link.
func (w *world) courseLink(t *testing.T) string {
	t.Helper()
	made := w.call(t, "POST", "/v2/courses", `{"data":{"type":"courses","attributes":{"name":"Beekeeping"}}}`)
	return regexp.MustCompile(`"course_enrollment_link":"([^"]*)"`).FindStringSubmatch(made)[1]
}
