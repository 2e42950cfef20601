package reactions_test

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// command runs a command of the program to its end and returns its output.
func command(t *testing.T, env []string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0], args...)
	var stderr bytes.Buffer
	c.Env, c.Stderr = env, &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, stderr.String())
	}
	return strings.TrimSpace(string(out))
}

// process is a running server.
type process struct {
	env []string
	url string
	cmd *exec.Cmd
}

// start starts a server. It is killed at the end of the test.
func start(t *testing.T, env []string) *process {
	t.Helper()
	p := &process{env: env}
	p.begin(t)
	t.Cleanup(p.kill)
	return p
}

// restart kills the server and starts it again.
func (p *process) restart(t *testing.T) {
	t.Helper()
	p.kill()
	p.begin(t)
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// begin starts the server and waits until it listens.
func (p *process) begin(t *testing.T) {
	t.Helper()
	is := is.New(t)
	p.cmd = exec.Command(os.Args[0], "serve", "--addr", "127.0.0.1:0")
	p.cmd.Env = p.env
	out, err := p.cmd.StdoutPipe()
	is.NoErr(err)
	is.NoErr(p.cmd.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if url, ok := strings.CutPrefix(lines.Text(), "Listening on "); ok {
			p.url = url
			return
		}
	}
	t.Fatal("the server has ended")
}
