package faults

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// server is a process of the program. After a restart it has the same address.
type server struct {
	program, addr, url string
	metrics            string // URL of the metrics
	env                []string
	log                *os.File
	proxy              *proxy // nil: the server reaches the database without a proxy
	process            *os.Process
	ended              chan error // receives the result of the process
}

// processTimeout limits the time to start and to stop a process.
const processTimeout = 60 * time.Second

// start starts the process from a thread that does not end before the process, because the kernel
// ends the process together with the thread.
func (s *server) start() error {
	cmd := exec.Command(s.program, "serve", "--addr", s.addr)
	cmd.Env, cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = s.env, s.log, s.log, endWithParent()
	started := make(chan error)
	s.ended = make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		err := cmd.Start()
		s.process = cmd.Process
		started <- err
		if err == nil {
			s.ended <- cmd.Wait()
		}
	}()
	return <-started
}

// ready waits until the server is ready.
func (s *server) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, processTimeout)
	defer cancel()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/readyz", nil)
		if err != nil {
			return err
		}
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
			err = errors.New(resp.Status)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready: %w; its log is %s", s.url, err, s.log.Name())
		case err := <-s.ended:
			s.ended <- err
			return fmt.Errorf("%s ended: %w; its log is %s", s.url, err, s.log.Name())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// restart starts the process again and waits until it is ready.
func (s *server) restart(ctx context.Context) error {
	if err := s.start(); err != nil {
		return err
	}
	return s.ready(ctx)
}

// kill ends the process with kill -9.
func (s *server) kill() {
	if s.process != nil {
		_ = s.process.Kill()
		s.ended <- <-s.ended
	}
}

// terminate sends SIGTERM and returns an error unless the process ends in time.
func (s *server) terminate() error {
	if err := s.process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case err := <-s.ended:
		s.ended <- err
		return err
	case <-time.After(processTimeout):
		return fmt.Errorf("%s does not end on SIGTERM", s.url)
	}
}

// free returns an unused address.
func free(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}
