package listsql

import (
	"context"
	"database/sql"
	"errors"

	"lyceum/domain/fault"
)

// One returns the row with the given id, as it appears in lists, or NotFound if it does not exist.
func (l *List[R, T]) One(ctx context.Context, c Querier, id any) (T, error) {
	var row R
	ctx, err := short(ctx, c)
	if err == nil {
		err = c.GetRow(ctx, &row, l.one, c.School(), id)
	}
	if err != nil {
		var none T
		return none, notFound(err)
	}
	return l.convert(row)
}

// short returns a context for a statement that takes about a millisecond at most. Outside a
// transaction, canceling ctx does not interrupt the statement, so neither database/sql nor the
// driver starts a goroutine that waits for the cancellation. The time limits of statements apply.
// If ctx has already ended, short returns its error.
func short(ctx context.Context, c Querier) (context.Context, error) {
	if c.InTx() {
		return ctx, nil
	}
	return context.WithoutCancel(ctx), ctx.Err()
}

// selectOne returns the statement that selects the row with the ID $2.
func (l *Definition) selectOne() string {
	return "SELECT " + l.Columns + " FROM " + l.Table + " r" + joins(l.ShownJoins) + " WHERE " + l.own() + " AND r.id = $2"
}

// notFound returns NotFound for an error that wraps sql.ErrNoRows, and otherwise err.
func notFound(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fault.RecordNotFound()
	}
	return err
}
