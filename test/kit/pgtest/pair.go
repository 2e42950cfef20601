package pgtest

import (
	"context"
	"database/sql"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Pair is a primary server with a streaming standby.
type Pair struct {
	Primary, Standby string // DSNs of one database, whose schema is up to date
	Ports            [2]int // ports of the primary and the standby, on 127.0.0.1

	primary, standby *cluster
}

// NewPair starts a primary and a streaming standby from the binaries of this machine, even if
// Variable names a server. Both stop at the end of the test.
func NewPair(t testing.TB) *Pair {
	t.Helper()
	p, err := newPair(t)
	if err != nil {
		t.Fatalf("pgtest: no pair of servers: %v; install PostgreSQL (Debian: apt-get install postgresql)", err)
	}
	return p
}

func newPair(t testing.TB) (*Pair, error) {
	ctx := context.Background()
	bin, err := binaries(ctx)
	if err != nil {
		return nil, err
	}
	primary, err := boot(ctx, bin, unsafeSettings...)
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = primary.stop() })
	if err := migrate(ctx, primary.dsn); err != nil {
		return nil, err
	}
	standby, err := bootFrom(ctx, bin, 0, unsafeSettings, func(data string) *exec.Cmd {
		return exec.CommandContext(ctx, filepath.Join(bin, "pg_basebackup"), "-D", data, "-R", "-X", "stream", "-c", "fast",
			"--no-sync", "-h", "127.0.0.1", "-p", strconv.Itoa(primary.port), "-U", "postgres")
	})
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = standby.stop() })
	return &Pair{
		Primary: primary.dsn, Standby: standby.dsn, Ports: [2]int{primary.port, standby.port},
		primary: primary, standby: standby,
	}, nil
}

// KillPrimary ends the primary as in a crash.
func (p *Pair) KillPrimary() { p.primary.kill() }

// CatchUp waits until the standby has replayed everything that the primary has written.
func (p *Pair) CatchUp(t testing.TB) {
	t.Helper()
	var end string
	ask(t, p.Primary, &end, `SELECT pg_current_wal_insert_lsn()::text`)
	for done := false; !done; time.Sleep(10 * time.Millisecond) {
		ask(t, p.Standby, &done, `SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn`, end)
	}
}

// Synchronize makes the standby synchronous: commits on new connections to the primary wait until
// the standby has written them.
func (p *Pair) Synchronize(t testing.TB) {
	t.Helper()
	for _, statement := range []string{
		`ALTER DATABASE postgres SET synchronous_commit = on`, // unsafeSettings turn this setting off
		`ALTER SYSTEM SET synchronous_standby_names = '*'`,
	} {
		execute(t, p.Primary, statement)
	}
	var done bool
	ask(t, p.Primary, &done, `SELECT pg_reload_conf()`)
	for done = false; !done; time.Sleep(10 * time.Millisecond) {
		ask(t, p.Primary, &done, `SELECT count(*) > 0 FROM pg_stat_replication WHERE sync_state = 'sync'`)
	}
}

// Stall stops the process of the standby that receives the primary's log, and returns a function
// that continues it. At the latest, the process continues at the end of the test.
func (p *Pair) Stall(t testing.TB) (resume func()) {
	t.Helper()
	var pid int
	ask(t, p.Standby, &pid, `SELECT pid FROM pg_stat_wal_receiver`)
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(fmt.Errorf("pgtest: stop the receiver: %w", err))
	}
	resume = sync.OnceFunc(func() { _ = syscall.Kill(pid, syscall.SIGCONT) })
	t.Cleanup(resume)
	return resume
}

// Promote promotes the standby to a primary.
func (p *Pair) Promote(t testing.TB) {
	t.Helper()
	var done bool
	ask(t, p.Standby, &done, `SELECT pg_promote(true, 60)`)
	if !done {
		t.Fatal("pgtest: the standby was not promoted within a minute")
	}
}

func ask(t testing.TB, dsn string, answer any, query string, args ...any) {
	t.Helper()
	db, err := sql.Open("postgres", dsn)
	if err == nil {
		defer func() { _ = db.Close() }()
		err = db.QueryRowContext(context.Background(), query, args...).Scan(answer)
	}
	if err != nil {
		t.Fatal(fmt.Errorf("pgtest: %s: %w", query, err))
	}
}

func execute(t testing.TB, dsn, statement string) {
	t.Helper()
	db, err := sql.Open("postgres", dsn)
	if err == nil {
		defer func() { _ = db.Close() }()
		_, err = db.ExecContext(context.Background(), statement)
	}
	if err != nil {
		t.Fatal(fmt.Errorf("pgtest: %s: %w", statement, err))
	}
}
