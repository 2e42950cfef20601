package pgdb

import (
	"context"
	"database/sql/driver"
	"time"
)

// cancelDelay is how long a statement continues after its context was canceled, for example because
// the client closed its connection. Canceling a statement also closes the connection to the database,
// and opening another one takes as long as many statements. Without the delay, a client that cancels
// its requests again and again would have hundreds of connections opened per second. With it, such a
// client gains nothing: a short statement ends as if it had not been canceled, and its request holds
// its slots as long.
const cancelDelay = time.Second

// lateCancel returns a context for one statement, which is canceled cancelDelay after ctx was
// canceled, or at once at the deadline of ctx. The caller must call end after the statement.
func lateCancel(ctx context.Context) (late context.Context, end func()) {
	if ctx.Done() == nil {
		return ctx, func() {}
	}
	var cancel context.CancelFunc
	if deadline, ok := ctx.Deadline(); ok {
		late, cancel = context.WithDeadline(context.WithoutCancel(ctx), deadline)
	} else {
		late, cancel = context.WithCancel(context.WithoutCancel(ctx))
	}
	stop := context.AfterFunc(ctx, func() {
		timer := time.NewTimer(cancelDelay)
		defer timer.Stop()
		select {
		case <-late.Done():
		case <-timer.C:
		}
		cancel()
	})
	return late, func() {
		stop()
		cancel()
	}
}

// execLate calls run, which runs a statement, with the context of lateCancel.
func execLate(ctx context.Context, run func(ctx context.Context) (driver.Result, error)) (driver.Result, error) {
	ctx, end := lateCancel(ctx)
	defer end()
	return run(ctx)
}

// queryLate is like execLate, for a statement that returns rows.
func queryLate(ctx context.Context, run func(ctx context.Context) (driver.Rows, error)) (driver.Rows, error) {
	ctx, end := lateCancel(ctx)
	rows, err := run(ctx)
	if err != nil {
		end()
		return nil, err
	}
	return lateRows{rows, end}, nil
}

// lateRows are the rows of a statement, which ends when they are closed.
type lateRows struct {
	driver.Rows
	end func()
}

// Close implements driver.Rows.
func (r lateRows) Close() error {
	defer r.end()
	return r.Rows.Close()
}
