package main

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

// programs contains the paths of the built programs.
type programs struct{ lyceum, bare, load string }

// build builds the server with the flags of a release, and the other two programs. If built is not
// blank, it is a folder that contains them already.
func build(ctx context.Context, dir, built string) (programs, error) {
	dir = cmp.Or(built, dir)
	p := programs{filepath.Join(dir, "lyceum"), filepath.Join(dir, "bare"), filepath.Join(dir, "load")}
	if built != "" {
		return p, nil
	}
	for path, source := range map[string]string{p.lyceum: "./cmd/lyceum", p.bare: "./test/tools/bench/bare", p.load: "./test/tools/bench/load"} {
		cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-tags", "nomsgpack", "-ldflags", "-s -w", "-o", path, source)
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return p, fmt.Errorf("build %s: %w", source, err)
		}
	}
	return p, nil
}

// process is a running server.
type process struct {
	url  string
	cmd  *exec.Cmd
	once sync.Once
}

// start starts a server program and waits until it responds. It appends a free address to args and
// writes the output of the program to the file log.
func start(ctx context.Context, program string, env []string, log string, args ...string) (*process, error) {
	addr, err := free(ctx)
	if err != nil {
		return nil, err
	}
	out, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	defer func() { _ = out.Close() }()
	p := &process{url: "http://" + addr, cmd: exec.Command(program, append(args, addr)...)}
	p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = append(os.Environ(), env...), out, out
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url, nil)
		if err != nil {
			return nil, err
		}
		if response, err := http.DefaultClient.Do(request); err == nil {
			return p, response.Body.Close()
		}
		if hasExited(p.cmd.Process.Pid) || ctx.Err() != nil || time.Now().After(end) {
			p.stop()
			text, _ := os.ReadFile(log)
			return nil, fmt.Errorf("%s does not answer: %s", filepath.Base(program), text)
		}
	}
}

// stop ends the process. Further calls have no effect.
func (p *process) stop() {
	p.once.Do(func() {
		_ = p.cmd.Process.Signal(os.Interrupt)
		_ = p.cmd.Wait()
	})
}

func free(ctx context.Context) (string, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}
