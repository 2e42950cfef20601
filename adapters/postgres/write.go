package postgres

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/lib/pq/pqerror"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/fault"
)

// unique is a value that at most one record of a kind may have in a school.
type unique struct {
	field  string // the fault's
	holder string // the plural noun of the kind
	rivals string // selects, by school, value and id, the id of who has either
	value  string
}

// rivalsOf returns the rivals statement of a column of table. The two look-ups are
// separate: for both at once the planner may read the school.
func rivalsOf(table, column string) string {
	return `SELECT id FROM ` + table + ` WHERE school_id = (SELECT $1::uuid) AND ` + column + ` = $2
		UNION SELECT id FROM ` + table + ` WHERE school_id = (SELECT $1::uuid) AND id = $3`
}

// add runs insert of the record id, which does nothing when the value is taken;
// then it is the holder's fault. An insertion that failed by itself would have
// broken the transaction.
//
// When the record is there already, this is the second run of a function whose
// first was kept, and the answer that told so was lost.
func (c *session) add(ctx context.Context, u unique, id uuid.UUID, insert string, args ...any) error {
	n, err := c.Exec(ctx, insert, args...)
	if err != nil || n > 0 {
		return err
	}
	_, err = c.rivals(ctx, u, uuid.Nil)
	for _, f := range fault.All(err) {
		if f.Holder != nil && f.Holder.ID == id {
			return pgdb.Unavailable(errKept)
		}
	}
	if err != nil {
		return err
	}
	return c.Changed(pgdb.Taken(u.field)) // the holder has gone since
}

var errKept = errors.New("postgres: what is to be added is there already")

// save runs update on the record id once it is known to exist and its value to
// be free. Who takes the value between the two makes a conflict.
func (c *session) save(ctx context.Context, u unique, id uuid.UUID, update string, args ...any) error {
	exists, err := c.rivals(ctx, u, id)
	if err != nil {
		return err
	}
	if !exists {
		return fault.Missing()
	}
	n, err := c.Exec(ctx, update, args...)
	if err != nil {
		return c.Race(err, pqerror.UniqueViolation, pgdb.Taken(u.field))
	}
	if n == 0 {
		return fault.Missing()
	}
	return nil
}

// rivals tells whether the record id exists, with a Taken fault when another has
// the value.
func (c *session) rivals(ctx context.Context, u unique, id uuid.UUID) (exists bool, err error) {
	var ids []uuid.UUID
	if err := c.SelectRows(ctx, &ids, u.rivals, c.SchoolID, u.value, id); err != nil {
		return false, err
	}
	for _, found := range ids {
		if found == id {
			exists = true
		} else {
			err = fault.Taken(u.field, u.holder, found)
		}
	}
	if id != uuid.Nil && !exists {
		return false, nil
	}
	return exists, err
}

// remove deletes the record id. A row that refers to it may have come after the
// caller removed those, so a refusal is a conflict first.
func (c *session) remove(ctx context.Context, statement string, id uuid.UUID) error {
	n, err := c.Exec(ctx, statement, c.SchoolID, id)
	if err != nil {
		return c.Race(err, pqerror.ForeignKeyViolation, err)
	}
	if n == 0 {
		return fault.Missing()
	}
	return nil
}
