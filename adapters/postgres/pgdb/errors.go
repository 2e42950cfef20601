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

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"lyceum/domain/fault"
	"lyceum/ports"
)

// Translate returns the error of an operation in the terms of package ports: an error that wraps
// the error of ctx, an OutageError, a ConflictError, or err with a prefix. Faults are returned
// unchanged.
func Translate(ctx context.Context, err error) error {
	switch {
	case err == nil || fault.All(err) != nil:
		return err
	case ctx.Err() != nil:
		return fmt.Errorf("postgres: %w (%v)", ctx.Err(), err) //lint:ignore errorlint the context's end is what counts
	case pq.As(err, pqerror.TRSerializationFailure, pqerror.TRDeadlockDetected) != nil:
		return &ConflictError{Cause: err, exhausted: err}
	case pq.As(err, pqerror.QueryCanceled) != nil: // caused by the statement timeout, because ctx has not ended
		return &OutageError{Fault: fault.Unavailablef("The request took too long"), Cause: err}
	case pq.As(err, pqerror.LockNotAvailable) != nil:
		return &OutageError{Fault: ports.ErrLockTimeout, Cause: err}
	case isOutage(err), IsReadOnly(err), errors.As(err, new(notOpenedError)):
		return Unavailable(err)
	}
	return fmt.Errorf("postgres: %w", err)
}

// translateCommit is like Translate, but for the error of a commit. After an outage, it is unknown
// whether the transaction was committed, even if ctx has ended.
func translateCommit(ctx context.Context, err error) error {
	if isOutage(err) {
		return Unavailable(err)
	}
	return Translate(ctx, err)
}

// A ConflictError is a failure caused by a concurrent transaction. The transaction is retried;
// after the last try, InTx returns exhausted.
type ConflictError struct{ Cause, exhausted error }

// Error returns the cause's text.
func (c *ConflictError) Error() string { return "postgres: " + c.Cause.Error() }

// Unwrap returns the cause.
func (c *ConflictError) Unwrap() error { return c.Cause }

// A notOpenedError is a failure to open a connection. Its cause may be a mistake of the operator,
// such as a wrong rule in pg_hba.conf or a renamed database. Once the server runs, requests treat
// it as an outage.
type notOpenedError struct{ error }

// Unwrap returns the cause.
func (n notOpenedError) Unwrap() error { return n.error }

// An OutageError is a failure to reach the database or to get a response in time. Clients see the
// fault, which is Unavailable; the log shows the cause.
type OutageError struct {
	Fault *fault.Fault
	Cause error
}

// Unavailable returns an OutageError with the given cause.
func Unavailable(cause error) error {
	return &OutageError{Fault: fault.Unavailablef("The service is temporarily unavailable"), Cause: cause}
}

// Error returns the cause's text.
func (o *OutageError) Error() string { return "postgres: " + o.Cause.Error() }

// Unwrap returns the fault and the cause.
func (o *OutageError) Unwrap() []error {
	return []error{o.Fault, o.Cause}
}

// isOutage reports whether err means that the database is unreachable, out of resources or shutting
// down, cannot use its own files, or could not provide a lock in time.
func isOutage(err error) bool {
	var refused *pq.Error
	if errors.As(err, &refused) {
		code := string(refused.Code)
		return strings.HasPrefix(code, "08") || strings.HasPrefix(code, "53") || strings.HasPrefix(code, "57P") ||
			strings.HasPrefix(code, "58") || // I/O errors
			refused.Code == pqerror.LockNotAvailable || // the database or the role has a lock_timeout
			isExhausted(refused) || isFileDenied(refused)
	}
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, errUnconfirmed) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// isExhausted reports whether the database must be vacuumed before it can assign more transaction
// IDs. Other errors with the same code concern limits of a statement.
func isExhausted(refused *pq.Error) bool {
	return refused.Code == pqerror.ProgramLimitExceeded && (refused.File == "varsup.c" || refused.File == "multixact.c")
}

// isFileDenied reports whether the operating system denies the database access to one of its files.
// Most errors with the same code concern privileges of the role.
func isFileDenied(refused *pq.Error) bool {
	return refused.Code == pqerror.InsufficientPrivilege &&
		(refused.File == "md.c" || refused.File == "fd.c" || refused.File == "slru.c")
}

// IsReadOnly reports whether err means that the database does not accept writes, because it is a
// standby or a former primary that has become a standby. A standby rejects the BEGIN of a
// transaction that may write with the code feature_not_supported. The same code is used if a change
// of the schema has made a prepared statement outdated. A new connection solves both problems. The
// code has no third cause, because no statement of this program uses a feature that the database
// lacks.
func IsReadOnly(err error) bool {
	return errors.Is(err, errReadOnly) || pq.As(err, pqerror.ReadOnlySQLTransaction, pqerror.FeatureNotSupported) != nil
}

// asConflict returns a ConflictError with the cause err and the given exhausted if err has the
// given code, and otherwise nil.
func asConflict(err error, code pqerror.Code, exhausted error) *ConflictError {
	if pq.As(err, code) == nil {
		return nil
	}
	return &ConflictError{Cause: err, exhausted: exhausted}
}

// Missing returns fault.RecordNotFound for an error that wraps sql.ErrNoRows, and otherwise err.
func Missing(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fault.RecordNotFound()
	}
	return err
}
