package pgdb

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"
	"lyceum/adapters/admission"
	"lyceum/domain/fault"
)

const (
	// connWait is how long a statement or a transaction waits for a connection.
	connWait = 2 * time.Second
	// connWaiting is how many of them may wait.
	connWaiting = 2000
)

// spareConns is how many connections the pool has in addition to those that its
// limiter gives out: readiness never waits for requests.
const spareConns = 1

// leastShare is how many connections a school may hold at least while another is
// active. An export and two long changes hold three, and leave two for other requests.
const leastShare = 5

// newAdmission returns the limiter in front of a pool. One school gets all but a
// sixth of the connections. While another is active it gets a third, at least
// leastShare: the work of all its classes of requests adds up in the database.
func newAdmission(pool *sqlx.DB) *admission.Limiter {
	slots := pool.Stats().MaxOpenConnections - spareConns
	if slots < 1 {
		slots = connWaiting // a pool without a limit
	}
	return admission.New(admission.Config{
		Slots: slots, PerSchool: slots - slots/6, Shared: max(slots/3, leastShare), Waiting: connWaiting, Wait: connWait,
	})
}

// admit waits until the pool has a connection for the session's school. Schools
// take turns, since database/sql would serve first whoever asks first. The caller
// releases the slot with the connection.
func (c *Session) admit(ctx context.Context) (*admission.Slot, error) {
	slot, err := c.DB.conns.Acquire(ctx, admission.Origin{School: c.SchoolID})
	if errors.Is(err, admission.ErrFull) || errors.Is(err, admission.ErrTimeout) {
		err = &OutageError{Fault: fault.Busyf("The service is busy; try again later"), Cause: err}
	}
	return slot, Translate(ctx, err)
}

// enterPool is admit for a statement, nil where a transaction has its connection
// already.
func (c *Session) enterPool(ctx context.Context) (*admission.Slot, error) {
	if c.tx != nil {
		return nil, nil
	}
	return c.admit(ctx)
}
