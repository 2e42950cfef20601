package listsql

import (
	"context"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
)

// Querier runs the statements of a list for one school.
type Querier interface {
	// School returns the id of the school, $1 of every statement.
	School() uuid.UUID
	// InTx reports whether the statements run in a transaction.
	InTx() bool
	// GetRow reads the first row into dest; the error wraps sql.ErrNoRows when there is
	// no row.
	GetRow(ctx context.Context, dest any, text string, args ...any) error
	// Exec runs a statement and returns how many rows it touched.
	Exec(ctx context.Context, text string, args ...any) (touched int, err error)
	// EachRow passes the rows to read. The statement is planned for its own values if
	// once is set.
	EachRow(ctx context.Context, once bool, text string, args []any, read func(*sqlx.Rows) error) error
	// Snapshot calls do with a querier whose statements all see one state of the
	// database.
	Snapshot(ctx context.Context, do func(Querier) error) error
}
