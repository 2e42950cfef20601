package pgdb

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq/pqerror"
	"lyceum/domain/job"
	"lyceum/ports"
)

// Session runs statements for one school, in a transaction or, when tx is nil, each on
// its own. Its methods return translated errors; errors.Is finds sql.ErrNoRows in
// them. Outside a transaction goroutines may share a session.
type Session struct {
	DB       *DB
	stmts    *statements
	SchoolID uuid.UUID // $1 of every statement
	tx       *transaction
}

// transaction is what a session in one goes through, for one goroutine.
type transaction struct {
	*sqlx.Tx
	missed []string       // texts to prepare once the connection is free
	lost   *ConflictError // the first conflict met
	added  []job.Kind     // of the jobs added
}

// Session returns a session for a school on the connections of the pool.
func (db *DB) Session(school uuid.UUID) *Session {
	return &Session{DB: db, stmts: db.stmts, SchoolID: school}
}

// apart returns a session for a school on connections that are not of the pool. It
// prepares nothing.
func (db *DB) apart(school uuid.UUID) *Session {
	return &Session{DB: db, stmts: newStatements(nil, 0), SchoolID: school}
}

// SessionIn returns a session that runs its statements in a transaction which the caller has
// begun, and ends.
func (db *DB) SessionIn(tx *sqlx.Tx, school uuid.UUID) *Session {
	c := db.apart(school)
	c.tx = &transaction{Tx: tx}
	return c
}

// InTx reports whether the statements run in a transaction.
func (c *Session) InTx() bool { return c.tx != nil }

// Conflicted returns an Unavailable fault if a statement of the transaction has met a
// conflict, so that nothing of the transaction can be kept.
func (c *Session) Conflicted() error {
	if c.tx.lost == nil {
		return nil
	}
	return Unavailable(c.tx.lost.Cause)
}

// AddedJobs notes that the transaction adds jobs of the kinds, whose workers are
// notified after the commit.
func (c *Session) AddedJobs(kinds ...job.Kind) { c.tx.added = append(c.tx.added, kinds...) }

// NotifyAdded notifies the workers of the jobs that the transaction has added.
func (c *Session) NotifyAdded() { c.DB.Notifier.Notify(c.tx.added...) }

// GetRow reads the first row into dest.
func (c *Session) GetRow(ctx context.Context, dest any, text string, args ...any) error {
	return c.run(ctx, text, func(st statement) error {
		if st.prepared != nil {
			return st.prepared.GetContext(ctx, dest, args...)
		}
		return sqlx.GetContext(ctx, st.plain, dest, text, args...)
	})
}

// SelectRows reads every row into the slice that dest points to.
func (c *Session) SelectRows(ctx context.Context, dest any, text string, args ...any) error {
	return c.run(ctx, text, func(st statement) error {
		if st.prepared != nil {
			return st.prepared.SelectContext(ctx, dest, args...)
		}
		return sqlx.SelectContext(ctx, st.plain, dest, text, args...)
	})
}

// EachRow hands the rows to read; once says that the statement must be planned for
// its own values, or that its text will hardly come again.
func (c *Session) EachRow(ctx context.Context, once bool, text string, args []any, read func(*sqlx.Rows) error) error {
	query := func(st statement) (err error) {
		var rows *sqlx.Rows
		if st.prepared != nil {
			rows, err = st.prepared.QueryxContext(ctx, args...)
		} else {
			rows, err = st.plain.QueryxContext(ctx, text, args...)
		}
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		return read(rows)
	}
	if once {
		slot, err := c.enterPool(ctx)
		defer slot.Release()
		if err != nil {
			return err
		}
		return c.seal(ctx, query(statement{plain: c.plain()}))
	}
	return c.run(ctx, text, query)
}

// Exec writes and returns how many rows were touched.
func (c *Session) Exec(ctx context.Context, text string, args ...any) (int, error) {
	var n int64
	err := c.run(ctx, text, func(st statement) error {
		res, err := st.exec(ctx, text, args...)
		if err == nil {
			n, err = res.RowsAffected()
		}
		return err
	})
	return int(n), err
}

func (c *Session) run(ctx context.Context, text string, do func(statement) error) error {
	slot, err := c.enterPool(ctx)
	defer slot.Release()
	if err != nil {
		return err
	}
	held, err := c.hold(ctx, text)
	if err != nil {
		return c.seal(ctx, err)
	}
	st := statement{plain: c.plain()}
	if held != nil {
		defer c.stmts.release(held)
		st.prepared = held.prepared
		if c.tx != nil {
			st.prepared = c.tx.StmtxContext(ctx, held.prepared)
		}
	}
	return c.seal(ctx, do(st))
}

// hold returns the prepared statement of text, nil when it shall run unprepared.
// In a transaction nothing is prepared anew: that takes a second connection,
// and transactions that each wait for one would wait for ever.
func (c *Session) hold(ctx context.Context, text string) (*held, error) {
	if c.tx == nil {
		return c.stmts.prepare(ctx, text)
	}
	h, worth := c.stmts.lookup(text)
	if h == nil && worth {
		c.tx.missed = append(c.tx.missed, text)
	}
	return h, nil
}

// prepareMissed prepares what the transaction, now at its end, had to run
// unprepared. It is for the next one's benefit, so errors do not matter.
func (c *Session) prepareMissed(ctx context.Context) {
	for _, text := range c.tx.missed {
		if h, err := c.stmts.prepare(ctx, text); err == nil && h != nil {
			c.stmts.release(h)
		}
	}
}

func (c *Session) plain() sqlx.ExtContext {
	if c.tx != nil {
		return c.tx.Tx
	}
	return c.DB.Pool
}

// seal translates err. A transaction remembers the first conflict, to be run
// again; a statement on its own is not, so that for it a conflict is an outage.
func (c *Session) seal(ctx context.Context, err error) error {
	err = Translate(ctx, err)
	var lost *ConflictError
	switch {
	case !errors.As(err, &lost):
		return err
	case c.tx == nil:
		return Unavailable(lost.Cause)
	case c.tx.lost == nil:
		c.tx.lost = lost
	}
	return err
}

// Changed makes a conflict of a row that another transaction has deleted since a
// statement met it. InTx returns last if no try ends better.
func (c *Session) Changed(last error) error {
	c.tx.lost = &ConflictError{Cause: ports.ErrChanged, last: last}
	return c.tx.lost
}

// Race makes a conflict of err when it is of the given class: what was true
// before the write no longer is, and the next try will see it. last is what the
// caller is told if no try does.
func (c *Session) Race(err error, code pqerror.Code, last error) error {
	if lost := raced(err, code, last); lost != nil {
		c.tx.lost = lost
		return lost
	}
	return err
}
