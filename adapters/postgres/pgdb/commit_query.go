package pgdb

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"slices"
	"strings"
)

// commits reports whether a statement outside a transaction commits changes. It searches for
// uppercase SQL keywords, because all statements of this program use them.
func commits(statement string) bool {
	return strings.Contains(statement, "INSERT INTO ") || strings.Contains(statement, "DELETE FROM ") ||
		strings.Contains(statement, "UPDATE ") && strings.Contains(statement, "SET ")
}

// query calls run, which runs a statement that returns rows. If the statement commits changes,
// query calls run through durably and reads all rows before it returns, because Postgres reports
// the outcome of the commit after the rows.
func (c *conn) query(
	ctx context.Context, statement string, run func(ctx context.Context) (driver.Rows, error),
) (rows driver.Rows, err error) {
	if !commits(statement) || c.inTx || c.net == nil || c.net.limit == 0 {
		return queryLate(ctx, run)
	}
	deadline, _ := ctx.Deadline()
	err = c.durably(deadline, func() error {
		open, err := run(context.WithoutCancel(ctx))
		if err != nil {
			return err
		}
		rows, err = readAll(open)
		return err
	})
	if err != nil {
		return nil, err
	}
	return rows, nil
}

// readRows contains rows that have been read from the connection.
type readRows struct {
	columns []string
	rows    [][]driver.Value
}

// readAll reads and closes rows.
func readAll(rows driver.Rows) (_ *readRows, err error) {
	defer func() { err = errors.Join(err, rows.Close()) }()
	all := &readRows{columns: rows.Columns()}
	for {
		row := make([]driver.Value, len(all.columns))
		switch err := rows.Next(row); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		}
		for i, value := range row {
			if text, ok := value.([]byte); ok {
				row[i] = slices.Clone(text) // copied, because the driver reuses the bytes
			}
		}
		all.rows = append(all.rows, row)
	}
}

// Columns implements driver.Rows.
func (r *readRows) Columns() []string { return r.columns }

// Close implements driver.Rows.
func (r *readRows) Close() error { return nil }

// Next implements driver.Rows.
func (r *readRows) Next(dest []driver.Value) error {
	if len(r.rows) == 0 {
		return io.EOF
	}
	copy(dest, r.rows[0])
	r.rows = r.rows[1:]
	return nil
}
