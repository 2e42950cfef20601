package pgdb

import "context"

const isWritable = `SELECT NOT pg_is_in_recovery() AND NOT current_setting('transaction_read_only')::boolean`

// Writable returns errReadOnly if the database does not accept writes. The next connection may lead
// to a different database that does, so no existing connection is reused.
func (db *DB) Writable(ctx context.Context) error {
	era := db.era.Load()
	var ok bool
	if err := db.pool.GetContext(ctx, &ok, isWritable); err != nil {
		return err
	}
	if !ok {
		db.era.CompareAndSwap(era, era+1)
		return errReadOnly
	}
	return nil
}
