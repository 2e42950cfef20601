package postgres

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"lyceum/domain/job"
	"lyceum/domain/school"
)

// session runs statements for one school, in a transaction or, when tx is nil,
// each on its own. Its methods return translated errors; sql.ErrNoRows can be
// found in them. Outside a transaction many goroutines share one, so all that
// changes is the transaction's.
type session struct {
	store  *Store
	school uuid.UUID
	tx     *transaction
}

// transaction is what a session in one goes through, for one goroutine.
type transaction struct {
	*sqlx.Tx
	missed []string   // texts to prepare once the connection is free
	lost   *conflict  // the first conflict met
	added  []job.Kind // of the jobs added
}

func (s *Store) session(id school.ID) *session {
	return &session{store: s, school: id.UUID}
}

// get reads the first row into dest.
func (c *session) get(ctx context.Context, dest any, text string, args ...any) error {
	return c.run(ctx, text, func(st statement) error {
		if st.prepared != nil {
			return st.prepared.GetContext(ctx, dest, args...)
		}
		return sqlx.GetContext(ctx, st.plain, dest, text, args...)
	})
}

// all reads every row into the slice that dest points to.
func (c *session) all(ctx context.Context, dest any, text string, args ...any) error {
	return c.run(ctx, text, func(st statement) error {
		if st.prepared != nil {
			return st.prepared.SelectContext(ctx, dest, args...)
		}
		return sqlx.SelectContext(ctx, st.plain, dest, text, args...)
	})
}

// each hands the rows to read; once says that the statement must be planned for
// its own values, or that its text will hardly come again.
func (c *session) each(ctx context.Context, once bool, text string, args []any, read func(*sqlx.Rows) error) error {
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

// exec writes and returns how many rows were touched.
func (c *session) exec(ctx context.Context, text string, args ...any) (int, error) {
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

func (c *session) run(ctx context.Context, text string, do func(statement) error) error {
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
		defer c.store.stmts.release(held)
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
func (c *session) hold(ctx context.Context, text string) (*held, error) {
	if c.tx == nil {
		return c.store.stmts.prepare(ctx, text)
	}
	h, worth := c.store.stmts.lookup(text)
	if h == nil && worth {
		c.tx.missed = append(c.tx.missed, text)
	}
	return h, nil
}

// prepareMissed prepares what the transaction, now at its end, had to run
// unprepared. It is for the next one's benefit, so errors do not matter.
func (c *session) prepareMissed(ctx context.Context) {
	for _, text := range c.tx.missed {
		if h, err := c.store.stmts.prepare(ctx, text); err == nil && h != nil {
			c.store.stmts.release(h)
		}
	}
}

func (c *session) plain() sqlx.ExtContext {
	if c.tx != nil {
		return c.tx.Tx
	}
	return c.store.db.pool
}

// seal translates err. A transaction remembers the first conflict, to be run
// again; a statement on its own is not, so that for it a conflict is an outage.
func (c *session) seal(ctx context.Context, err error) error {
	err = translate(ctx, err)
	var lost *conflict
	switch {
	case !errors.As(err, &lost):
		return err
	case c.tx == nil:
		return unavailable(lost.cause)
	case c.tx.lost == nil:
		c.tx.lost = lost
	}
	return err
}
