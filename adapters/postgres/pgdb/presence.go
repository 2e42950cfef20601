package pgdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/job"
)

const (
	// presencePulse is the interval at which a server checks that it still holds its lock,
	// and presencePause the pause before it tries to get the lock again.
	presencePulse = time.Second
	presencePause = 200 * time.Millisecond
	// presenceLimit is the time limit of each statement on the connection that holds the
	// lock.
	presenceLimit = 5 * time.Second
	// takeBackAfter is the uptime after which a server releases the leases of its earlier
	// processes. A running server that has lost its connection, such as by a restart of the
	// database, holds its lock again by then.
	takeBackAfter = 3 * time.Second
)

const (
	lockPresence = `SELECT pg_try_advisory_lock_shared(hashtextextended('lyceum server ' || $1, 0))`
	// A standby has its own locks, which the primary does not see.
	checkPresence = `SELECT NOT pg_is_in_recovery()`
	// lockAlone conflicts with the locks of all other sessions for the name, but not with those of
	// this session.
	lockAlone = `SELECT pg_try_advisory_xact_lock(hashtextextended('lyceum server ' || $1, 0))`
)

// presence is the shared lock for a server's name, which each process of the server holds on a
// separate connection. If a process gets the lock exclusively, no other process has the name, so
// all leases under the name except its own belong to processes that have ended. A lease that is
// taken while the lock is not held records no name.
type presence struct {
	name  string
	run   uuid.UUID
	wait  time.Duration // takeBackAfter
	conns *sql.DB
	end   context.CancelFunc
	ended sync.WaitGroup

	use   sync.Mutex    // serializes the statements of conn
	mu    sync.Mutex    // guards the fields below
	conn  *sql.Conn     // holds the lock; nil: the lock is not held
	first chan struct{} // closed when the lock was held for the first time
	since time.Time     // when the lock was taken
}

// newPresence returns a presence that tries to hold its lock until it is closed.
func newPresence(name string, to connector, wait time.Duration) *presence {
	ctx, end := context.WithCancel(context.Background())
	p := &presence{
		name: name, run: uuid.New(), wait: wait, conns: sql.OpenDB(to), end: end, first: make(chan struct{}),
	}
	p.conns.SetMaxIdleConns(-1) // returned connections are closed, which releases their locks
	p.ended.Go(func() {
		for ctx.Err() == nil {
			p.holdLock(ctx)
			_ = Pause(ctx, presencePause)
		}
	})
	return p
}

// holdLock takes the lock if it is available, and returns when the connection is lost.
func (p *presence) holdLock(ctx context.Context) {
	conn, err := p.conns.Conn(ctx)
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	if !p.queryBool(ctx, conn, lockPresence, p.name) {
		return
	}
	p.set(conn)
	defer p.set(nil)
	for p.queryBool(ctx, conn, checkPresence) && Pause(ctx, presencePulse) == nil {
	}
}

// queryBool reports whether the query returns true.
func (p *presence) queryBool(ctx context.Context, conn *sql.Conn, query string, args ...any) (so bool) {
	p.use.Lock()
	defer p.use.Unlock()
	ctx, cancel := context.WithTimeout(ctx, presenceLimit)
	defer cancel()
	err := conn.QueryRowContext(ctx, query, args...).Scan(&so)
	return so && err == nil
}

func (p *presence) set(conn *sql.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if conn != nil && p.since.IsZero() {
		p.since = time.Now()
		close(p.first)
	}
	p.conn = conn
}

// lessee returns the name and the process ID for new leases, or nil.
func (p *presence) lessee() (name, run any) {
	if p == nil {
		return nil, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conn == nil {
		return nil, nil
	}
	return p.name, p.run
}

// runExclusive runs a statement with the name, the process ID and the instant now, if no other
// process with the name is running. It returns the job kinds that the statement returns.
func (p *presence) runExclusive(ctx context.Context, statement string, now time.Time) ([]job.Kind, error) {
	select {
	case <-p.first:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err := Pause(ctx, time.Until(p.since.Add(p.wait))); err != nil {
		return nil, err
	}
	p.mu.Lock()
	conn := p.conn
	p.mu.Unlock()
	if conn == nil {
		return nil, Unavailable(errors.New("the lock on the server's name was lost"))
	}
	kinds, err := p.runAlone(ctx, conn, statement, now)
	if errors.Is(err, sql.ErrConnDone) {
		return nil, Unavailable(err)
	}
	return kinds, err
}

func (p *presence) runAlone(ctx context.Context, conn *sql.Conn, statement string, now time.Time) (kinds []job.Kind, err error) {
	p.use.Lock()
	defer p.use.Unlock()
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = tx.Rollback()
		}
	}()
	var alone bool
	if err := tx.QueryRowContext(ctx, lockAlone, p.name).Scan(&alone); err != nil {
		return nil, err
	}
	if !alone {
		return nil, tx.Rollback()
	}
	rows, err := tx.QueryContext(ctx, statement, p.name, p.run, now)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var kind job.Kind
		if err := rows.Scan(&kind); err != nil {
			return nil, err
		}
		kinds = append(kinds, kind)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("release leases: %w", err)
	}
	return kinds, tx.Commit()
}

// close releases the lock.
func (p *presence) close() error {
	if p == nil {
		return nil
	}
	p.end()
	p.ended.Wait()
	return p.conns.Close()
}
