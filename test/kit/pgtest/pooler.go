package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// NewPooler starts PgBouncer in front of the database of a DSN and returns the DSN of the pooler.
// The given lines are added to the section [pgbouncer]. PgBouncer stops at the end of the test. The
// test fails if PgBouncer is missing and cannot be installed.
func NewPooler(t testing.TB, dsn string, lines ...string) string {
	t.Helper()
	through, err := newPooler(t, dsn, lines)
	if err != nil {
		t.Fatalf("pgtest: no PgBouncer: %v; install it (Debian: apt-get install pgbouncer)", err)
	}
	return through
}

func newPooler(t testing.TB, dsn string, lines []string) (string, error) {
	ctx := context.Background()
	program, err := pgbouncer(ctx)
	if err != nil {
		return "", err
	}
	s := start(t)
	s.mu.Lock()
	name := s.names[dsn]
	s.mu.Unlock()
	who, err := unprivileged()
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", prefix) //lint:ignore usetesting the folder must be one that another user may enter, and sweep finds it
	if err != nil {
		return "", err
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	port, err := freePort(ctx, 0)
	if err != nil {
		return "", err
	}
	password := "" // PgBouncer rejects a setting without a value
	if s.params.Password != "" {
		password = " password='" + s.params.Password + "'"
	}
	text := fmt.Sprintf("[databases]\n%s = host=%s port=%d user=%s%s\n[pgbouncer]\nlisten_addr=127.0.0.1\nlisten_port=%d\nauth_type=any\nunix_socket_dir=\n",
		name, s.params.Host, s.params.Port, s.params.User, password, port)
	for _, line := range lines {
		text += line + "\n"
	}
	file := filepath.Join(dir, "pgbouncer.ini")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return "", err
	}
	if who != nil {
		if err := errors.Join(os.Chown(dir, int(who.Uid), int(who.Gid)), os.Chown(file, int(who.Uid), int(who.Gid))); err != nil {
			return "", err
		}
	}
	c := &cluster{dir: dir, log: filepath.Join(dir, "log"), ended: make(chan struct{})}
	server := exec.Command(program, file)
	server.Dir, server.SysProcAttr = dir, attributes(who)
	if err := c.launch(server); err != nil {
		return "", err
	}
	t.Cleanup(c.kill)
	c.dsn = (&url.URL{
		Scheme: "postgres", User: url.User(s.params.User), Host: fmt.Sprintf("127.0.0.1:%d", port), Path: "/" + name,
		RawQuery: "sslmode=disable",
	}).String()
	return c.dsn, c.await(ctx)
}

// pgbouncer returns the path of the program. If it is missing, pgbouncer installs it if possible.
func pgbouncer(ctx context.Context) (string, error) {
	for _, try := range []bool{false, true} {
		if try {
			if err := install(ctx, "pgbouncer"); err != nil {
				return "", err
			}
		}
		for _, name := range []string{"pgbouncer", "/usr/sbin/pgbouncer"} {
			if path, err := exec.LookPath(name); err == nil {
				return path, nil
			}
		}
	}
	return "", errors.New("apt-get install pgbouncer brought no program")
}
