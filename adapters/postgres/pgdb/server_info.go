package pgdb

import (
	"context"
	"fmt"
	"time"
)

// ServerInfo describes the database server.
type ServerInfo struct {
	Version string    `db:"version"` // such as 15.14
	Now     time.Time `db:"now"`     // time on the clock of the server
}

// ClockDifference returns by how much the clock of the server of the database differs from another
// clock, which showed before and after around the request for the ServerInfo. It is 0 or less if Now
// is between them.
func (i ServerInfo) ClockDifference(before, after time.Time) time.Duration {
	return max(before.Sub(i.Now), i.Now.Sub(after))
}

// Info returns a description of the database server.
func (db *DB) Info(ctx context.Context) (ServerInfo, error) {
	var info ServerInfo
	err := db.pool.GetContext(ctx, &info, `SELECT current_setting('server_version') AS version, clock_timestamp() AS now`)
	return info, Translate(ctx, err)
}

// maxClockDifference is the maximum difference between the clocks of a server and of the database.
// Each server decides by its own clock whether a job is due, and whether a lease, a link or a key
// has expired. A job whose lease is shorter than the difference would run on two servers at once.
const maxClockDifference = 10 * time.Second

// CheckClock returns an error if the clock of the database differs from that of the server by more
// than ten seconds. clock returns the time of the server.
func (db *DB) CheckClock(ctx context.Context, clock func() time.Time) error {
	before := clock()
	info, err := db.Info(ctx)
	if err != nil {
		return err
	}
	if difference := info.ClockDifference(before, clock()); difference > maxClockDifference {
		return fmt.Errorf("the clock of this server differs from that of the database by %s: synchronize them, for example by NTP", difference.Round(time.Second))
	}
	return nil
}
