package pgdb

import (
	"context"
	"errors"
	"reflect"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq/pqerror"
	"lyceum/domain/job"
	"lyceum/ports"
)

// A Session runs statements for one school: in a transaction or, if tx is nil, each statement in a
// transaction of its own. Its methods return translated errors, which may wrap sql.ErrNoRows.
// Outside of a transaction it is safe for concurrent use.
type Session struct {
	DB       *DB
	stmts    *statements
	SchoolID uuid.UUID // $1 of every statement
	tx       *transaction
}

// transaction is the state of a session in a transaction. It is not safe for concurrent
// use.
type transaction struct {
	*sqlx.Tx
	unprepared []string       // texts that prepareMissed prepares after the transaction
	conflict   *ConflictError // first conflict of the transaction
	added      []job.Kind     // kinds of the added jobs
}

// Session returns a session for a school on the connections of the pool.
func (db *DB) Session(school uuid.UUID) *Session {
	return &Session{DB: db, stmts: db.stmts, SchoolID: school}
}

// unpooled returns a session for a school on connections outside the pool. It does not use prepared
// statements.
func (db *DB) unpooled(school uuid.UUID) *Session {
	return &Session{DB: db, stmts: newStatements(nil, 0), SchoolID: school}
}

// SessionIn returns a session for a school in a transaction that the caller has begun and
// will end.
func (db *DB) SessionIn(tx *sqlx.Tx, school uuid.UUID) *Session {
	c := db.unpooled(school)
	c.tx = &transaction{Tx: tx}
	return c
}

// InTx reports whether the statements run in a transaction.
func (s *Session) InTx() bool { return s.tx != nil }

// Conflicted returns an Unavailable fault if a statement of the transaction has met a conflict.
// Such a transaction cannot be committed.
func (s *Session) Conflicted() error {
	if s.tx.conflict == nil {
		return nil
	}
	return Unavailable(s.tx.conflict.Cause)
}

// AddedJobs records that the transaction adds jobs of the kinds, so that their workers are notified
// after the commit.
func (s *Session) AddedJobs(kinds ...job.Kind) { s.tx.added = append(s.tx.added, kinds...) }

// NotifyAdded notifies the workers of the jobs that the transaction added.
func (s *Session) NotifyAdded() { s.DB.Notify(s.tx.added...) }

// GetRow scans the first row into dest.
func (s *Session) GetRow(ctx context.Context, dest any, text string, args ...any) error {
	if done, err := s.onReplica(ctx, func(c *Session) (bool, error) { return false, c.GetRow(ctx, dest, text, args...) }); done {
		return err
	}
	return s.run(ctx, text, func(st statement) error {
		if st.prepared != nil {
			return st.prepared.GetContext(ctx, dest, args...)
		}
		return sqlx.GetContext(ctx, st.plain, dest, text, args...)
	})
}

// SelectRows scans all rows into the slice that dest points to, which must be empty.
func (s *Session) SelectRows(ctx context.Context, dest any, text string, args ...any) error {
	if done, err := s.onReplica(ctx, func(c *Session) (bool, error) {
		err := c.SelectRows(ctx, dest, text, args...)
		if err != nil {
			reflect.ValueOf(dest).Elem().SetZero() // it may contain some of the rows
		}
		return false, err
	}); done {
		return err
	}
	return s.run(ctx, text, func(st statement) error {
		if st.prepared != nil {
			return st.prepared.SelectContext(ctx, dest, args...)
		}
		return sqlx.SelectContext(ctx, st.plain, dest, text, args...)
	})
}

// EachRow runs a statement and calls read with its rows. If once is true, the statement runs
// unprepared. Set once if the best plan depends on args, or if the text is unlikely to be used
// again.
func (s *Session) EachRow(ctx context.Context, once bool, text string, args []any, read func(*sqlx.Rows) error) error {
	if done, err := s.onReplica(ctx, func(c *Session) (used bool, err error) {
		err = c.EachRow(ctx, once, text, args, func(rows *sqlx.Rows) error {
			used = true
			return read(rows)
		})
		return used, err
	}); done {
		return err
	}
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
		slot, err := s.enterPool(ctx)
		defer slot.Release()
		if err != nil {
			return err
		}
		return s.wrapErr(ctx, query(statement{plain: s.plain()}))
	}
	return s.run(ctx, text, query)
}

// Exec runs a statement and returns the number of affected rows.
func (s *Session) Exec(ctx context.Context, text string, args ...any) (int, error) {
	var n int64
	err := s.run(ctx, text, func(st statement) error {
		res, err := st.exec(ctx, text, args...)
		if err == nil {
			n, err = res.RowsAffected()
		}
		return err
	})
	return int(n), err
}

// run calls do with the statement of text. The statement is prepared if the cache has prepared it.
func (s *Session) run(ctx context.Context, text string, do func(statement) error) error {
	slot, err := s.enterPool(ctx)
	defer slot.Release()
	if err != nil {
		return err
	}
	cached, err := s.acquireStmt(ctx, text)
	if err != nil {
		return s.wrapErr(ctx, err)
	}
	st := statement{plain: s.plain()}
	if cached != nil {
		defer s.stmts.release(cached)
		st.prepared = cached.prepared
		if s.tx != nil {
			st.prepared = s.tx.StmtxContext(ctx, cached.prepared)
		}
	}
	return s.wrapErr(ctx, do(st))
}

// acquireStmt returns the prepared statement of text, or nil if it runs unprepared. In a
// transaction it prepares nothing, because that needs a second connection: if all connections were
// in use, the transactions would wait for each other forever.
func (s *Session) acquireStmt(ctx context.Context, text string) (*cachedStmt, error) {
	if s.tx == nil {
		return s.stmts.prepare(ctx, text)
	}
	cached, worth := s.stmts.lookup(text)
	if cached == nil && worth {
		s.tx.unprepared = append(s.tx.unprepared, text)
	}
	return cached, nil
}

// prepareMissed prepares the statements that the transaction, which has ended, ran unprepared. It
// ignores errors, because only later transactions benefit.
func (s *Session) prepareMissed(ctx context.Context) {
	for _, text := range s.tx.unprepared {
		if cached, err := s.stmts.prepare(ctx, text); err == nil && cached != nil {
			s.stmts.release(cached)
		}
	}
}

func (s *Session) plain() sqlx.ExtContext {
	if s.tx != nil {
		return s.tx.Tx
	}
	return s.DB.pool
}

// wrapErr translates err. A transaction records its first conflict and is then retried. A single
// statement is not retried, so its conflict becomes an outage.
func (s *Session) wrapErr(ctx context.Context, err error) error {
	err = Translate(ctx, err)
	var lost *ConflictError
	switch {
	case !errors.As(err, &lost):
		return err
	case s.tx == nil:
		return Unavailable(lost.Cause)
	case s.tx.conflict == nil:
		s.tx.conflict = lost
	}
	return err
}

// Changed records and returns a conflict with the cause ports.ErrChanged. Call it if another
// transaction has deleted a row in the meantime. If the last try of the transaction fails too, InTx
// returns exhausted.
func (s *Session) Changed(exhausted error) error {
	s.tx.conflict = &ConflictError{Cause: ports.ErrChanged, exhausted: exhausted}
	return s.tx.conflict
}

// Race records and returns a conflict if err has the given code. The code means that the check
// before the write is outdated; a retry repeats the check. Otherwise Race returns err. If the last
// try of the transaction fails too, InTx returns exhausted.
func (s *Session) Race(err error, code pqerror.Code, exhausted error) error {
	if lost := asConflict(err, code, exhausted); lost != nil {
		s.tx.conflict = lost
		return lost
	}
	return err
}
