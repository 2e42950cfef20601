package lyceum_test

import (
	"bufio"
	"flag"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	lyceum "lyceum/sdk/go"
)

var program = flag.String("program", "../../bin/lyceum", "the server that the tests start")

// demo returns the URL and the key of a new server with the demo school. The server stops when the
// test ends.
func demo(t *testing.T, args ...string) (url, key string) {
	t.Helper()
	cmd := exec.Command(*program, append([]string{"serve", "--demo", "--addr", "127.0.0.1:0"}, args...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("%v (make build builds the server)", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait() // the exit status after a signal does not matter
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		line := lines.Text()
		if after, ok := strings.CutPrefix(line, "Listening on "); ok {
			url = after
		}
		if _, after, ok := strings.Cut(line, `": `); ok && strings.HasPrefix(line, "Key ") {
			key = after
		}
		if url != "" && key != "" {
			go func() { // so that the server does not block on its output
				for lines.Scan() {
				}
			}()
			return url, key
		}
	}
	t.Fatal("the server ended before it was ready")
	return "", ""
}

// newClient returns a client of a new server with the demo school.
func newClient(t *testing.T) *lyceum.Client {
	t.Helper()
	url, key := demo(t)
	client, err := lyceum.New(url, key)
	noErr(t, err)
	return client
}

func noErr(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
}
