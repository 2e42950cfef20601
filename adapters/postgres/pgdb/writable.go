package pgdb

import "context"

const isWritable = `SELECT NOT pg_is_in_recovery() AND NOT current_setting('transaction_read_only')::boolean`

// Writable returns errReadOnly if the database does not accept writes. In that case it begins a new
// generation of connections (see connector), because a new connection may lead to a different
// database that accepts writes.
func (db *DB) Writable(ctx context.Context) error {
	generation := db.generation.Load()
	var ok bool
	if err := db.pool.GetContext(ctx, &ok, isWritable); err != nil {
		return err
	}
	if !ok {
		db.generation.CompareAndSwap(generation, generation+1)
		return errReadOnly
	}
	return nil
}
