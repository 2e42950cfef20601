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
	if err := l.definition.readOne(ctx, c, id, &row); err != nil {
		var none T
		return none, err
	}
	return l.convert(row)
}

func (l *Definition) readOne(ctx context.Context, c Querier, id, row any) error {
	l = l.withoutRemoved()
	text := "SELECT " + l.Columns + " FROM " + l.Table + " r" + joins(l.ShownJoins) + " WHERE " + l.own() + " AND r.id = $2"
	return notFound(c.GetRow(ctx, row, text, c.School(), id))
}

// notFound returns NotFound for an error that wraps sql.ErrNoRows, and otherwise err.
func notFound(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fault.RecordNotFound()
	}
	return err
}
