package pgtest

import (
	"context"
	"fmt"
)

// Durable returns the DSN of a new database for a measurement. It is on the server that Variable
// names, or else on a temporary server whose commits are durable. drop drops the database, unless
// keep is true and Variable names a server.
func Durable(ctx context.Context, keep bool) (dsn string, drop func(), err error) {
	s, err := find(ctx, "-c", "shared_buffers=1GB", "-c", "max_wal_size=4GB")
	if err != nil {
		return "", nil, fmt.Errorf("no PostgreSQL: %w; install it (Debian: apt-get install postgresql) or set %s", err, Variable)
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
