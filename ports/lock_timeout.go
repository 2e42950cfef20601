package ports

import (
	"context"
	"time"

	"lyceum/domain/fault"
)

// ErrLockTimeout means that a transaction did not get a lock in time, or that an operation with a lock
// timeout did not get a connection to the store in time. Clients see it as Unavailable.
var ErrLockTimeout = fault.Unavailablef("Records are being changed by another request. Try again later")

type lockTimeoutKey struct{}

// WithLockTimeout returns a context in which Store.InTx and Store.InLongTx wait for each lock at
// most d, which must be at least one millisecond. If the school has no free connection to the store,
// they and the methods of Store.Read wait at most d for it, because transactions that wait for locks
// can hold all of them. After that they return an error that wraps ErrLockTimeout.
func WithLockTimeout(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, lockTimeoutKey{}, d)
}

// LockTimeout returns the lock timeout of ctx and reports whether it has one.
func LockTimeout(ctx context.Context) (d time.Duration, ok bool) {
	d, ok = ctx.Value(lockTimeoutKey{}).(time.Duration)
	return d, ok
}
