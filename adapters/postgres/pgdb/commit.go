package pgdb

import (
	"context"
	"database/sql/driver"
	"errors"
	"time"

	"github.com/lib/pq"
)

// A cancel request that reaches Postgres while a commit waits for a synchronous standby does not
// undo the commit: Postgres only stops waiting, warns, and reports success. Therefore this package
// never cancels a commit or a write outside a transaction. Instead, it closes the connection at the
// deadline of the context. Postgres then continues to wait, and no other transaction sees the
// records before the standby has confirmed them.

// errUnconfirmed means that the synchronous standby has not confirmed a commit.
var errUnconfirmed = errors.New("the wait for the synchronous standby was canceled: the transaction is committed, " +
	"but may be lost if the primary fails")

// unconfirmed reports whether a notice is Postgres' warning that it has stopped waiting for
// a synchronous standby. The name of the routine does not depend on the language.
func unconfirmed(notice *pq.Error) bool { return notice.Routine == "SyncRepWaitForLSN" }

// durably calls write, which must end with a commit. At the deadline, reads and writes on the
// connection fail; a zero deadline means none. durably returns errUnconfirmed if Postgres warns
// that the synchronous standby has not confirmed the commit.
func (c *conn) durably(deadline time.Time, write func() error) error {
	c.unconfirmed.Store(false)
	if !deadline.IsZero() && c.net != nil {
		if err := c.net.SetDeadline(deadline); err != nil {
			return err
		}
		defer func() { _ = c.net.SetDeadline(time.Time{}) }()
	}
	err := write()
	if err == nil && c.unconfirmed.Load() {
		return errUnconfirmed
	}
	return err
}

// exec calls run, which runs a statement. Outside a transaction the statement commits, so exec
// calls run through durably. In a transaction, the end of ctx cancels the statement, as lateCancel
// describes. It also cancels the statements of migrations, exports and imports, whose connections
// have no deadline.
func (c *conn) exec(
	ctx context.Context, run func(ctx context.Context) (driver.Result, error),
) (res driver.Result, err error) {
	if c.inTx || c.net == nil || c.net.limit == 0 {
		return execLate(ctx, run)
	}
	deadline, _ := ctx.Deadline()
	err = c.durably(deadline, func() (err error) {
		res, err = run(context.WithoutCancel(ctx))
		return err
	})
	return res, err
}

// A connTx is a transaction on a conn.
type connTx struct {
	driver.Tx
	conn     *conn
	deadline time.Time // deadline of the commit; zero: none
}

// Commit implements driver.Tx.
func (t connTx) Commit() error {
	t.conn.inTx = false
	return t.conn.durably(t.deadline, t.Tx.Commit)
}

// Rollback implements driver.Tx.
func (t connTx) Rollback() error {
	t.conn.inTx = false
	return t.Tx.Rollback()
}

// dialing is the context key of the variable in which a dialer stores the connection that
// it opens.
type dialing struct{}
