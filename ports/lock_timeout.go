package ports

import (
	"context"
	"time"

	"lyceum/domain/fault"
)

// ErrLockTimeout reports that a transaction with a lock timeout has not got a lock in time. To
// clients it is Unavailable.
var ErrLockTimeout = fault.Unavailablef("Records are being changed by another request. Try again later")

// lockTimeoutKey is the context key of a lock timeout.
type lockTimeoutKey struct{}

// WithLockTimeout returns a context in which Store.InTx and Store.InLongTx wait for each lock for at
// most d, which is at least a millisecond. They return an error that wraps ErrLockTimeout then.
func WithLockTimeout(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, lockTimeoutKey{}, d)
}

// LockTimeout returns the lock timeout of ctx, and whether it has one.
func LockTimeout(ctx context.Context) (d time.Duration, ok bool) {
	d, ok = ctx.Value(lockTimeoutKey{}).(time.Duration)
	return d, ok
}
