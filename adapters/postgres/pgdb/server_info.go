package pgdb

import (
	"context"
	"time"
)

// ServerInfo describes the database server.
type ServerInfo struct {
	Version string    `db:"version"` // such as 15.14
	Now     time.Time `db:"now"`     // time on the clock of the server
}

// Info returns a description of the database server.
func (db *DB) Info(ctx context.Context) (ServerInfo, error) {
	var info ServerInfo
	err := db.pool.GetContext(ctx, &info, `SELECT current_setting('server_version') AS version, clock_timestamp() AS now`)
	return info, Translate(ctx, err)
}
