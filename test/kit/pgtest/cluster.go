package pgtest

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// cluster is a PostgreSQL server that this test binary started, with its own data directory.
type cluster struct {
	dir     string
	dsn     string
	port    int
	process *os.Process
	ended   chan struct{} // closed when the server has ended
	log     string        // file with the server's messages
}

// unsafeSettings makes the server faster, but a crash may lose its data. So boot can keep the data in
// memory. Without jit=off, each connection with an expensive plan loads LLVM. Autovacuum would take
// processor time, and update statistics at a time that no test knows.
var unsafeSettings = []string{
	"-F", "-c", "synchronous_commit=off", "-c", "full_page_writes=off", "-c", "jit=off", "-c", "autovacuum=off",
}

// boot creates a cluster and starts its server with settings.
func boot(ctx context.Context, bin string, settings ...string) (*cluster, error) {
	return bootAt(ctx, bin, 0, settings...)
}

// bootAt is like boot. The server uses the port, unless it is 0 or in use.
func bootAt(ctx context.Context, bin string, port int, settings ...string) (*cluster, error) {
	return bootFrom(ctx, bin, port, settings, func(data string) *exec.Cmd {
		return exec.CommandContext(ctx, filepath.Join(bin, "initdb"), "-D", data,
			"-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	})
}

// bootFrom creates a cluster with a program that fills its data directory, and starts its server
// with settings.
func bootFrom(ctx context.Context, bin string, port int, settings []string, fill func(data string) *exec.Cmd) (*cluster, error) {
	sweep()
	in := os.TempDir()
	if slices.Equal(settings, unsafeSettings) {
		in = memoryDir()
	}
	dir, err := os.MkdirTemp(in, prefix)
	if err != nil {
		return nil, err
	}
	c := &cluster{dir: dir, log: filepath.Join(dir, "log")}
	if err := c.run(ctx, bin, port, settings, fill(filepath.Join(dir, "data"))); err != nil {
		return nil, errors.Join(err, c.stop())
	}
	return c, nil
}

func (c *cluster) run(ctx context.Context, bin string, port int, settings []string, fill *exec.Cmd) error {
	// The server refuses to run as root.
	who, err := unprivileged()
	if err != nil {
		return err
	}
	if who != nil {
		if err := os.Chown(c.dir, int(who.Uid), int(who.Gid)); err != nil {
			return err
		}
	}
	fill.Dir, fill.SysProcAttr = c.dir, attributes(who)
	if out, err := fill.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", filepath.Base(fill.Path), err, lastLine(out))
	}
	if c.port, err = freePort(ctx, port); err != nil {
		return err
	}
	c.dsn = fmt.Sprintf("host=127.0.0.1 port=%d user=postgres dbname=postgres sslmode=disable", c.port)
	return c.serve(ctx, bin, settings)
}

// serve starts the server with settings on an existing data directory and waits until the server
// accepts connections.
func (c *cluster) serve(ctx context.Context, bin string, settings []string) error {
	who, err := unprivileged()
	if err != nil {
		return err
	}
	c.ended = make(chan struct{})
	// No context is used, because stop ends the server.
	server := exec.Command(filepath.Join(bin, "postgres"), append([]string{
		"-D", filepath.Join(c.dir, "data"), "-k", c.dir, "-h", "127.0.0.1", "-p", strconv.Itoa(c.port),
		"-c", "max_connections=200",
	}, settings...)...)
	server.Dir, server.SysProcAttr = c.dir, attributes(who)
	if err := c.launch(server); err != nil {
		return err
	}
	return c.await(ctx)
}

// launch starts the server from an OS thread that lives as long as the server. On Linux the kernel
// ends the server when the thread that started it ends; see attributes.
func (c *cluster) launch(server *exec.Cmd) error {
	out, err := os.OpenFile(c.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	server.Stdout, server.Stderr = out, out
	started, ended := make(chan error), c.ended
	go func() {
		runtime.LockOSThread()
		err := server.Start()
		c.process = server.Process
		started <- err
		if err == nil {
			_ = server.Wait()
		}
		_ = out.Close()
		close(ended)
	}()
	return <-started
}

// await waits until the server accepts connections.
func (c *cluster) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	db, err := sql.Open("postgres", c.dsn)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	for {
		err := db.PingContext(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-c.ended:
			out, _ := os.ReadFile(c.log)
			return fmt.Errorf("the server ended: %s", lastLine(out))
		case <-ctx.Done():
			return fmt.Errorf("the server does not answer: %w", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// stop stops the server and deletes its files.
func (c *cluster) stop() error {
	c.kill()
	return os.RemoveAll(c.dir)
}

// execute executes a statement.
func (c *cluster) execute(ctx context.Context, statement string) error {
	db, err := sql.Open("postgres", c.dsn)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	_, err = db.ExecContext(ctx, statement)
	return err
}

// ask scans the single value of a query into answer.
func (c *cluster) ask(ctx context.Context, answer any, query string) error {
	db, err := sql.Open("postgres", c.dsn)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	return db.QueryRowContext(ctx, query).Scan(answer)
}

// kill stops the server immediately and waits until it has ended. The data directory remains.
func (c *cluster) kill() {
	if c.process != nil {
		_ = c.process.Signal(syscall.SIGQUIT)
		<-c.ended
	}
}

// freePort returns the preferred port if it is free, or else another one.
func freePort(ctx context.Context, preferred int) (int, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(preferred)))
	if err != nil {
		l, err = config.Listen(ctx, "tcp", "127.0.0.1:0")
	}
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

func lastLine(out []byte) []byte {
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	return lines[len(lines)-1]
}
