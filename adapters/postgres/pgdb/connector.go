package pgdb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/lib/pq"
)

// A connector opens connections to a database that accepts writes.
//
// After a failover, an existing connection may lead to a read-only database until it is closed. A
// connection that detects this begins a new generation: all connections of earlier generations are
// closed instead of reused, and new connections find the new primary.
type connector struct {
	*pq.Connector
	generation                *atomic.Int64 // current generation of connections
	local                     string        // SET LOCAL statements at the start of each transaction; empty: none
	noLockTimeoutConcurrently bool          // whether statements with CONCURRENTLY run without a lock timeout
}

// Connect opens a connection.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	generation := c.generation.Load()
	var dialed *deadlineConn
	opened, err := c.Connector.Connect(context.WithValue(ctx, dialing{}, &dialed))
	if err != nil {
		return nil, notOpenedError{asReadOnly(err)}
	}
	whole, ok := opened.(driverConn)
	if !ok {
		return nil, fmt.Errorf("the driver's connection %T lacks a method", opened)
	}
	made := &conn{driverConn: whole, current: c.generation, generation: generation, local: c.local, noLockTimeoutConcurrently: c.noLockTimeoutConcurrently, net: dialed}
	pq.SetNoticeHandler(opened, func(notice *pq.Error) {
		if unconfirmed(notice) {
			made.unconfirmed.Store(true)
		}
	})
	return made, nil
}

// errReadOnly means that the database does not accept writes now.
var errReadOnly = errors.New("the database is read-only")

// asReadOnly wraps the driver's errors about a server that target_session_attrs excludes in
// errReadOnly. It returns other errors unchanged.
func asReadOnly(err error) error {
	for _, text := range []string{"server is in hot standby mode", "session is read-only"} {
		if strings.Contains(err.Error(), text) {
			return fmt.Errorf("%w: %w", errReadOnly, err)
		}
	}
	return err
}

// A driverConn has those methods of the driver's connections that database/sql calls.
type driverConn interface {
	driver.Conn
	driver.Tx // ends the current transaction of the connection
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.NamedValueChecker
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// A conn is a connection of a connector.
type conn struct {
	driverConn
	current                   *atomic.Int64 // current generation of connections
	generation                int64         // generation in which this connection was opened
	local                     string        // same as in the connector
	noLockTimeoutConcurrently bool          // same as in the connector

	net         *deadlineConn // the network connection; nil: unknown
	inTx        bool          // whether a transaction is open
	unconfirmed atomic.Bool   // whether Postgres has stopped waiting for a synchronous standby
}

// checkReadOnly returns err. If err reports a read-only database, checkReadOnly begins a new
// generation.
func (c *conn) checkReadOnly(err error) error {
	if IsReadOnly(err) {
		c.current.CompareAndSwap(c.generation, c.generation+1)
	}
	return err
}

// outdated reports whether a later generation has begun since the connection was opened.
func (c *conn) outdated() bool { return c.current.Load() != c.generation }

// BeginTx implements driver.ConnBeginTx.
func (c *conn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	// The driver does not get ctx, because it would cancel the running statement when ctx ends.
	// Each statement has its own context, and database/sql rolls back after the statement.
	tx, err := c.begin(context.WithoutCancel(ctx), opts)
	if err != nil {
		return nil, c.checkReadOnly(err)
	}
	if c.local != "" {
		if _, err := c.driverConn.ExecContext(ctx, c.local, nil); err != nil {
			return nil, errors.Join(c.checkReadOnly(err), tx.Rollback())
		}
	}
	c.inTx = true
	deadline, _ := ctx.Deadline()
	return connTx{tx, c, deadline}, nil
}

// begin begins a transaction. If the transaction may write, begin sends the statement itself,
// because the driver would send READ WRITE, which overrides default_transaction_read_only.
func (c *conn) begin(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	if opts.ReadOnly {
		return c.driverConn.BeginTx(ctx, opts)
	}
	statement := "BEGIN"
	if level := sql.IsolationLevel(opts.Isolation); level != sql.LevelDefault {
		statement += " ISOLATION LEVEL " + level.String()
	}
	if _, err := c.driverConn.ExecContext(ctx, statement+setOrigin(ctx), nil); err != nil {
		return nil, err
	}
	return c.driverConn, nil
}

// ExecContext implements driver.ExecerContext.
func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if c.noLockTimeoutConcurrently && strings.Contains(query, "CONCURRENTLY") {
		if _, err := c.driverConn.ExecContext(ctx, "SET lock_timeout = 0", nil); err != nil {
			return nil, err
		}
		defer func() { _, _ = c.driverConn.ExecContext(ctx, "RESET lock_timeout", nil) }() // restores the initial value
	}
	res, err := traced(ctx, query, func(ctx context.Context) (driver.Result, error) {
		return c.exec(ctx, func(ctx context.Context) (driver.Result, error) { return c.driverConn.ExecContext(ctx, query, args) })
	})
	return res, c.checkReadOnly(err)
}

// QueryContext implements driver.QueryerContext.
func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := traced(ctx, query, func(ctx context.Context) (driver.Rows, error) {
		return c.query(ctx, query, func(ctx context.Context) (driver.Rows, error) { return c.driverConn.QueryContext(ctx, query, args) })
	})
	return rows, c.checkReadOnly(err)
}

// PrepareContext implements driver.ConnPrepareContext.
func (c *conn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	st, err := c.driverConn.PrepareContext(ctx, query)
	if whole, ok := st.(driverStmt); ok && err == nil { // COPY statements lack these methods
		return &stmt{driverStmt: whole, conn: c, query: query}, nil
	}
	return st, c.checkReadOnly(err)
}

// ResetSession implements driver.SessionResetter. It prevents the reuse of an outdated connection.
func (c *conn) ResetSession(ctx context.Context) error {
	if c.outdated() {
		return driver.ErrBadConn
	}
	return c.driverConn.ResetSession(ctx)
}

// IsValid implements driver.Validator. It keeps an outdated connection out of the pool.
func (c *conn) IsValid() bool { return !c.outdated() && c.driverConn.IsValid() }

// A driverStmt has the methods of the driver's prepared statements.
type driverStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// A stmt is a prepared statement of a conn.
type stmt struct {
	driverStmt
	conn  *conn
	query string
}

// ExecContext implements driver.StmtExecContext.
func (s *stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	res, err := traced(ctx, s.query, func(ctx context.Context) (driver.Result, error) {
		return s.conn.exec(ctx, func(ctx context.Context) (driver.Result, error) { return s.driverStmt.ExecContext(ctx, args) })
	})
	return res, s.conn.checkReadOnly(err)
}

// QueryContext implements driver.StmtQueryContext.
func (s *stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := traced(ctx, s.query, func(ctx context.Context) (driver.Rows, error) {
		return s.conn.query(ctx, s.query, func(ctx context.Context) (driver.Rows, error) { return s.driverStmt.QueryContext(ctx, args) })
	})
	return rows, s.conn.checkReadOnly(err)
}
