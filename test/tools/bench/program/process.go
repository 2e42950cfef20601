// Package program builds and runs the programs that the commands in test/tools/bench measure, and
// writes the results of a measurement into a page of the documentation.
package program

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// Process is a running server.
type Process struct {
	URL  string
	cmd  *exec.Cmd
	once sync.Once
}

// Start starts a server program and waits until it responds. It appends a free address to args and
// writes the output of the program to the file log.
func Start(ctx context.Context, program string, env []string, log string, args ...string) (*Process, error) {
	addr, err := free(ctx)
	if err != nil {
		return nil, err
	}
	out, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	defer func() { _ = out.Close() }()
	p := &Process{URL: "http://" + addr, cmd: exec.Command(program, append(args, addr)...)}
	p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = append(os.Environ(), env...), out, out
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL, nil)
		if err != nil {
			return nil, err
		}
		if response, err := http.DefaultClient.Do(request); err == nil {
			return p, response.Body.Close()
		}
		if hasExited(p.PID()) || ctx.Err() != nil || time.Now().After(end) {
			p.Stop()
			text, _ := os.ReadFile(log)
			return nil, fmt.Errorf("%s does not answer: %s", filepath.Base(program), text)
		}
	}
}

// PID returns the process ID.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Stop ends the process. Further calls have no effect.
func (p *Process) Stop() {
	p.once.Do(func() {
		_ = p.cmd.Process.Signal(os.Interrupt)
		_ = p.cmd.Wait()
	})
}

// hasExited reports whether a child of this process has exited.
func hasExited(pid int) bool {
	var status syscall.WaitStatus
	ended, err := syscall.Wait4(pid, &status, syscall.WNOHANG, nil)
	return err != nil || ended == pid
}

func free(ctx context.Context) (string, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}
