package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// Cluster is a PostgreSQL server for a single test. The test can kill and restart it. Its database
// and its user are both named postgres.
type Cluster struct {
	*cluster

	bin      string
	settings []string
}

// NewCluster starts a server from the binaries of this machine, even if Variable names a server.
// Commits are durable, as with the default settings. The server stops at the end of the test.
func NewCluster(t testing.TB) *Cluster {
	t.Helper()
	return newCluster(t)
}

// NewFastCluster is like NewCluster, but a crash may lose commits.
func NewFastCluster(t testing.TB) *Cluster {
	t.Helper()
	return newCluster(t, unsafeSettings...)
}

func newCluster(t testing.TB, settings ...string) *Cluster {
	t.Helper()
	bin, err := binaries(context.Background())
	if err != nil {
		t.Fatalf("pgtest: no PostgreSQL: %v; install it (Debian: apt-get install postgresql)", err)
	}
	c, err := boot(context.Background(), bin, settings...)
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	t.Cleanup(func() { _ = c.stop() })
	return &Cluster{c, bin, settings}
}

// Addr returns the host and the port. They stay the same after a restart.
func (c *Cluster) Addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(c.port)) }

// Data returns the data directory of the server.
func (c *Cluster) Data() string { return filepath.Join(c.dir, "data") }

// Socket returns the directory of the Unix socket of the server.
func (c *Cluster) Socket() string { return c.dir }

// DSN returns the connection string of the database postgres.
func (c *Cluster) DSN() string { return c.dsn }

// Shell runs a script of sh in the data directory, as the user of the server. variables are added
// to the environment, in the form name=value.
func (c *Cluster) Shell(ctx context.Context, script string, variables ...string) error {
	who, err := unprivileged()
	if err != nil {
		return err
	}
	sh := exec.CommandContext(ctx, "sh", "-eux", "-c", script)
	sh.Dir, sh.SysProcAttr, sh.Env = c.Data(), attributes(who), append(os.Environ(), variables...)
	if out, err := sh.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// Crash ends all processes of the server like kill -9. The shared memory of the server remains
// until a restart.
func (c *Cluster) Crash() {
	// The main process is killed first, because it would begin a recovery, and because only it
	// starts other processes.
	_ = syscall.Kill(c.process.Pid, syscall.SIGKILL)
	<-c.ended
	for left := c.Processes(); len(left) > 0; left = c.Processes() {
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(time.Millisecond)
	}
}

// Processes returns the ids of the processes of the server, which are the processes whose working
// directory is its data directory. On a system without /proc it returns none. There, most processes
// end on their own when they notice that the main process has ended.
func (c *Cluster) Processes() []int {
	var all []int
	links, _ := filepath.Glob("/proc/[0-9]*/cwd") // the pattern is well-formed
	for _, link := range links {
		// Reading the link of a process that has ended fails.
		if dir, err := os.Readlink(link); err == nil && dir == filepath.Join(c.dir, "data") {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(link))) // digits only
			all = append(all, pid)
		}
	}
	return all
}

// Stop stops the server immediately without a checkpoint, so that the next start recovers as after
// a crash.
func (c *Cluster) Stop() { c.kill() }

// Restart starts the server again and waits until it accepts connections.
func (c *Cluster) Restart(ctx context.Context) error {
	for end := time.Now().Add(time.Minute); ; {
		err := c.serve(ctx, c.bin, c.settings)
		if err == nil || time.Now().After(end) { // the last old process may still be ending
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Replica starts a streaming replica, for which commits of c do not wait. It stops at the end of
// the test.
func (c *Cluster) Replica(t testing.TB) (*Cluster, error) {
	ctx := context.Background()
	replica, err := bootFrom(ctx, c.bin, 0, nil, func(data string) *exec.Cmd {
		return exec.CommandContext(ctx, filepath.Join(c.bin, "pg_basebackup"), "-D", data, "-R", "-X", "stream", "-c", "fast",
			"--no-sync", "-h", "127.0.0.1", "-p", strconv.Itoa(c.port), "-U", "postgres")
	})
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = replica.stop() })
	return &Cluster{replica, c.bin, nil}, nil
}

// Standby is like Replica, but later commits of c wait for the standby.
func (c *Cluster) Standby(t testing.TB) (*Cluster, error) {
	ctx := context.Background()
	standby, err := c.Replica(t)
	if err != nil {
		return nil, err
	}
	for _, statement := range []string{`ALTER SYSTEM SET synchronous_standby_names = '*'`, `SELECT pg_reload_conf()`} {
		if err := c.execute(ctx, statement); err != nil {
			return nil, err
		}
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		var n int
		err := c.ask(ctx, &n, `SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'`)
		switch {
		case err == nil && n > 0:
			return standby, nil
		case time.Now().After(end):
			return nil, fmt.Errorf("the standby is not synchronous: %w", err)
		}
	}
}

// Promote promotes a standby to a primary.
func (c *Cluster) Promote(ctx context.Context) error {
	var done bool
	err := c.ask(ctx, &done, `SELECT pg_promote(true, 60)`)
	if err == nil && !done {
		err = errors.New("the standby was not promoted within a minute")
	}
	return err
}
