package pgtest

import "context"

// Durable returns the DSN of a new database for a measurement. It is on the server that Variable
// names, or else on a temporary server whose commits are durable. drop drops the database, unless
// keep is true and Variable names a server.
func Durable(ctx context.Context, keep bool) (dsn string, drop func(), err error) {
	s, err := find(ctx, "-c", "shared_buffers=1GB", "-c", "max_wal_size=4GB")
	if err != nil {
		return "", nil, missing(err)
	}
	if dsn, err = s.create(ctx); err != nil {
		_ = s.close()
		return "", nil, err
	}
	if keep && s.cluster == nil {
		return dsn, func() {}, nil
	}
	return dsn, func() { _ = s.close() }, nil
}
