package pgdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/limiter"
	"lyceum/domain/job"
)

const (
	// lockCheckInterval is the interval at which a server checks that it still holds its lock,
	// and lockRetryPause the pause before it tries to get the lock again.
	lockCheckInterval = time.Second
	lockRetryPause    = 200 * time.Millisecond
	// lockStatementTimeout is the time limit of each statement on the connection that holds the
	// lock.
	lockStatementTimeout = 5 * time.Second
	// releaseAfter is the default of Config.ReleaseAfter. By then, a running server that has lost
	// its connection, for example by a restart of the database, holds its lock again.
	releaseAfter = 3 * time.Second
)

const (
	takeServerLock = `SELECT pg_try_advisory_lock_shared(hashtextextended('lyceum server ' || $1, 0))`
	// checkPrimary is false on a standby, whose locks are invisible to the primary.
	checkPrimary = `SELECT NOT pg_is_in_recovery()`
	// takeExclusively conflicts with the locks of all other sessions for the name, but not with the
	// lock that takeServerLock took in this session.
	takeExclusively = `SELECT pg_try_advisory_xact_lock(hashtextextended('lyceum server ' || $1, 0))`
)

// A serverLock is a shared lock on the name of a server (Config.Server). Each process of the server
// holds it on a separate connection. If a process gets the lock exclusively, no other process uses
// the name, so all other leases with the name belong to processes that have ended. A lease that is
// taken without the lock records no name and is never released early.
type serverLock struct {
	name     string
	instance uuid.UUID     // random ID of this process
	wait     time.Duration // Config.ReleaseAfter
	conns    *sql.DB
	end      context.CancelFunc
	ended    sync.WaitGroup

	use   sync.Mutex    // serializes the statements of conn
	mu    sync.Mutex    // guards the fields below
	conn  *sql.Conn     // connection that holds the lock; nil: the lock is not held
	first chan struct{} // closed when the lock is held for the first time
	since time.Time     // when the lock was held for the first time
}

// newServerLock returns a serverLock that tries to hold its lock until it is closed.
func newServerLock(name string, to connector, wait time.Duration) *serverLock {
	ctx, end := context.WithCancel(context.Background())
	s := &serverLock{
		name: name, instance: uuid.New(), wait: wait, conns: sql.OpenDB(to), end: end, first: make(chan struct{}),
	}
	s.conns.SetMaxIdleConns(-1) // a connection is closed when it is returned, which releases its locks
	s.ended.Go(func() {
		for ctx.Err() == nil {
			s.holdLock(ctx)
			_ = limiter.Pause(ctx, lockRetryPause)
		}
	})
	return s
}

// holdLock takes the lock if it is available. It then holds the lock until ctx ends, the connection
// is lost, or the database becomes a standby.
func (s *serverLock) holdLock(ctx context.Context) {
	conn, err := s.conns.Conn(ctx)
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	if !s.queryBool(ctx, conn, takeServerLock, s.name) {
		return
	}
	s.set(conn)
	defer s.set(nil)
	for s.queryBool(ctx, conn, checkPrimary) && limiter.Pause(ctx, lockCheckInterval) == nil {
	}
}

// queryBool reports whether the query succeeds and returns true.
func (s *serverLock) queryBool(ctx context.Context, conn *sql.Conn, query string, args ...any) (so bool) {
	s.use.Lock()
	defer s.use.Unlock()
	ctx, cancel := context.WithTimeout(ctx, lockStatementTimeout)
	defer cancel()
	err := conn.QueryRowContext(ctx, query, args...).Scan(&so)
	return so && err == nil
}

// set sets the connection that holds the lock; nil means that the lock is not held.
func (s *serverLock) set(conn *sql.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if conn != nil && s.since.IsZero() {
		s.since = time.Now()
		close(s.first)
	}
	s.conn = conn
}

// leaseOwner returns the name of the server and the instance ID of this process. Both are nil if
// the lock is not held. A nil serverLock is never held.
func (s *serverLock) leaseOwner() (name, instance any) {
	if s == nil {
		return nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		return nil, nil
	}
	return s.name, s.instance
}

// runExclusive implements DB.RunAlone. It waits until the lock has been held once, and then until
// Config.ReleaseAfter has passed since that time.
func (s *serverLock) runExclusive(ctx context.Context, statement string, now time.Time) ([]job.Kind, error) {
	select {
	case <-s.first:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err := limiter.Pause(ctx, time.Until(s.since.Add(s.wait))); err != nil {
		return nil, err
	}
	s.mu.Lock()
	conn := s.conn
	s.mu.Unlock()
	if conn == nil {
		return nil, Unavailable(errors.New("the lock on the server's name was lost"))
	}
	kinds, err := s.runInTx(ctx, conn, statement, now)
	if errors.Is(err, sql.ErrConnDone) {
		return nil, Unavailable(err)
	}
	return kinds, err
}

// runInTx runs the statement on the connection of the lock, in a transaction that holds the lock
// exclusively. If another process holds the lock, it does nothing.
func (s *serverLock) runInTx(ctx context.Context, conn *sql.Conn, statement string, now time.Time) (kinds []job.Kind, err error) {
	s.use.Lock()
	defer s.use.Unlock()
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
	if err := tx.QueryRowContext(ctx, takeExclusively, s.name).Scan(&alone); err != nil {
		return nil, err
	}
	if !alone {
		return nil, tx.Rollback()
	}
	rows, err := tx.QueryContext(ctx, statement, s.name, s.instance, now)
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

// close releases the lock. On a nil serverLock it does nothing.
func (s *serverLock) close() error {
	if s == nil {
		return nil
	}
	s.end()
	s.ended.Wait()
	return s.conns.Close()
}
