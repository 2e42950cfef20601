package listsql

import (
	"context"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
)

// A Querier runs the statements of a list for one school.
type Querier interface {
	// School returns the ID of the school, $1 of every statement.
	School() uuid.UUID
	// InTx reports whether the statements run in a transaction.
	InTx() bool
	// GetRow scans the first row into dest. If there is no row, the error wraps sql.ErrNoRows.
	GetRow(ctx context.Context, dest any, text string, args ...any) error
	// Exec runs a statement and returns the number of affected rows.
	Exec(ctx context.Context, text string, args ...any) (touched int, err error)
	// EachRow runs a statement and calls read with its rows. If once is true, the statement is
	// planned for args.
	EachRow(ctx context.Context, once bool, text string, args []any, read func(*sqlx.Rows) error) error
	// Snapshot calls do with a querier whose statements all see one state of the database.
	Snapshot(ctx context.Context, do func(Querier) error) error
}
