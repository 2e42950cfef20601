package pgdb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"lyceum/domain/fault"
)

// Translate says in the caller's terms why an operation failed: the context's
// end, an outage, a lost race, or err itself.
func Translate(ctx context.Context, err error) error {
	switch {
	case err == nil || fault.All(err) != nil:
		return err
	case ctx.Err() != nil:
		return fmt.Errorf("postgres: %w (%v)", ctx.Err(), err) //lint:ignore errorlint the context's end is what counts
	case pq.As(err, pqerror.TRSerializationFailure, pqerror.TRDeadlockDetected) != nil:
		return &ConflictError{Cause: err, last: err}
	case pq.As(err, pqerror.QueryCanceled) != nil: // the statement timeout, since ctx lives
		return &OutageError{Fault: fault.Busyf("The request took too long"), Cause: err}
	case isOutage(err), IsReadOnly(err), errors.As(err, new(notOpenedError)):
		return Unavailable(err)
	}
	return fmt.Errorf("postgres: %w", err)
}

// translateCommit is Translate for the error of a commit. An outage, also one after
// the end of ctx, leaves open whether the transaction is committed.
func translateCommit(ctx context.Context, err error) error {
	if isOutage(err) {
		return Unavailable(err)
	}
	return Translate(ctx, err)
}

// ConflictError is a failure by what another transaction did meanwhile; the
// transaction is run again. After the last try the caller is told last.
type ConflictError struct{ Cause, last error }

// Error returns the cause's text.
func (c *ConflictError) Error() string { return "postgres: " + c.Cause.Error() }

// Unwrap returns the cause.
func (c *ConflictError) Unwrap() error { return c.Cause }

// notOpenedError is the failure to open a connection. Whatever its cause, as a rule of
// pg_hba.conf or a database that was renamed, an operator may have it for a while:
// once the server has started it is an outage.
type notOpenedError struct{ error }

// Unwrap returns the cause.
func (n notOpenedError) Unwrap() error { return n.error }

// OutageError is the failure to reach the database or to be served by it in time. To
// clients it is fault, which is Unavailable, to the log its cause.
type OutageError struct {
	Fault *fault.Fault
	Cause error
}

func Unavailable(cause error) error {
	return &OutageError{Fault: fault.Busyf("The service cannot answer now"), Cause: cause}
}

// Error returns the cause's text.
func (o *OutageError) Error() string { return "postgres: " + o.Cause.Error() }

// Unwrap returns the fault and the cause.
func (o *OutageError) Unwrap() []error {
	return []error{o.Fault, o.Cause}
}

// isOutage tells whether err says that the database is out of reach, out of
// resources or shutting down, or that a lock was not to be had in time.
func isOutage(err error) bool {
	var refused *pq.Error
	if errors.As(err, &refused) {
		code := string(refused.Code)
		return strings.HasPrefix(code, "08") || strings.HasPrefix(code, "53") || strings.HasPrefix(code, "57P") ||
			refused.Code == pqerror.LockNotAvailable // the database or the role has a lock_timeout
	}
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, errUnconfirmed) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// IsReadOnly reports whether err says that the database accepts no writes, as a
// standby and a primary that has become one. A standby refuses to begin a
// transaction that may write with feature_not_supported. The same code says that
// a prepared statement has outlived a change of the schema; a new connection is
// the cure for both, and no statement of this program asks for a feature that the
// database lacks.
func IsReadOnly(err error) bool {
	return errors.Is(err, errReadOnly) || pq.As(err, pqerror.ReadOnlySQLTransaction, pqerror.FeatureNotSupported) != nil
}

// raced returns the conflict that err is when it has the given code, else nil.
func raced(err error, code pqerror.Code, last error) *ConflictError {
	if pq.As(err, code) == nil {
		return nil
	}
	return &ConflictError{Cause: err, last: last}
}

// Taken is fault.Taken for a holder that could not be made out.
func Taken(field string) error {
	f := fault.Taken(field, "", uuid.Nil)
	f.Holder = nil
	return f
}

// Missing makes a NotFound fault of an error that says there is no such row.
func Missing(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fault.Missing()
	}
	return err
}
