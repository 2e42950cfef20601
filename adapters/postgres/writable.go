package postgres

import "context"

const isWritable = `SELECT NOT pg_is_in_recovery() AND NOT current_setting('transaction_read_only')::boolean`

// writable returns errReadOnly if the database that the pool reaches accepts no
// writes. The next connection may lead to another database that does, so none is
// used again.
func (db *DB) writable(ctx context.Context) error {
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
