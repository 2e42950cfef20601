package pgdb

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"
	"lyceum/adapters/limiter"
	"lyceum/domain/fault"
	"lyceum/ports"
)

const (
	// connWait is the maximum time that a statement or a transaction waits for a connection.
	connWait = 2 * time.Second
	// connWaiting is the maximum number of statements and transactions that wait.
	connWaiting = 2000
)

// spareConns is the number of connections that the pool has in addition to the connections that its
// limiter counts, so that readiness checks never wait for requests.
const spareConns = 1

// leastShare is the number of connections that a school can hold while another school is active,
// even if a third of the pool is less.
const leastShare = 5

// newLimiter returns the limiter of a pool. A school gets at most five sixths of the connections.
// While another school is active, it gets at most a third of them, or leastShare if that is more,
// and the last third is for schools that hold none: some transactions wait for locks for seconds, and
// two schools with such transactions must not hold all connections. The last connection of a school
// is for callers that hold none, because the workers and one key of a school could hold all others.
func newLimiter(pool *sqlx.DB) *limiter.Limiter {
	slots := pool.Stats().MaxOpenConnections - spareConns
	if slots < 1 {
		slots = connWaiting // the pool has no limit
	}
	return limiter.New(limiter.Config{
		Slots: slots, PerSchool: slots - slots/6, Shared: max(slots/3, leastShare), Reserved: slots / 3, SpareKey: true, Waiting: connWaiting, Wait: connWait,
	})
}

// admit waits until the pool has a connection for the session's school. Waiting schools take turns;
// database/sql alone would serve calls in the order of their arrival. A lock timeout of ctx limits
// this wait too, because transactions that wait for locks can hold all connections of a school. The
// caller must release the slot after it has released the connection.
func (s *Session) admit(ctx context.Context) (*limiter.Slot, error) {
	limited, cancel := ctx, context.CancelFunc(func() {})
	if d, ok := ports.LockTimeout(ctx); ok {
		limited, cancel = context.WithTimeout(ctx, d)
	}
	defer cancel()
	slot, err := s.DB.conns.Acquire(limited, limiter.Origin{School: s.SchoolID, Key: ports.Caller(ctx)})
	switch {
	case errors.Is(err, limiter.ErrFull) || errors.Is(err, limiter.ErrTimeout):
		err = &OutageError{Fault: fault.Unavailablef("The service is busy. Try again later"), Cause: err}
	case err != nil && ctx.Err() == nil:
		err = &OutageError{Fault: ports.ErrLockTimeout, Cause: err}
	}
	return slot, Translate(ctx, err)
}

// enterPool is like admit, but returns nil in a transaction, which has a connection
// already.
func (s *Session) enterPool(ctx context.Context) (*limiter.Slot, error) {
	if s.tx != nil {
		return nil, nil
	}
	return s.admit(ctx)
}
