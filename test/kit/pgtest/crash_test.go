package pgtest_test

import (
	"database/sql"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/test/kit/pgtest"
)

// TestClusterKeepsCommits checks that a commit survives a crash, and that it survives the promotion
// of the standby for which it waited.
func TestClusterKeepsCommits(t *testing.T) {
	is := is.New(t)
	c := pgtest.NewCluster(t)
	run := func(c *pgtest.Cluster, statement string) {
		t.Helper()
		host, port, err := net.SplitHostPort(c.Addr())
		is.NoErr(err)
		db := open(t, "host="+host+" port="+port+" user=postgres dbname=postgres sslmode=disable")
		_, err = db.ExecContext(t.Context(), statement)
		is.NoErr(err)
		is.NoErr(db.Close())
	}
	run(c, `CREATE TABLE kept (id int PRIMARY KEY)`)
	c.Crash()
	is.NoErr(c.Restart(t.Context()))
	standby, err := c.Standby(t)
	is.NoErr(err)
	run(c, `INSERT INTO kept VALUES (1)`)
	c.Stop()
	is.NoErr(standby.Promote(t.Context()))
	run(standby, `UPDATE kept SET id = 1 / (SELECT count(*) FROM kept)`) // the statement fails if the row is missing
}

// TestCrashLeavesNoProcess checks that a server can be restarted immediately after a crash, even if
// clients are connecting at that time. A process that survived the crash would still use the shared
// memory.
func TestCrashLeavesNoProcess(t *testing.T) {
	is := is.New(t)
	c := pgtest.NewFastCluster(t)
	host, port, err := net.SplitHostPort(c.Addr())
	is.NoErr(err)
	for range 3 {
		var connecting sync.WaitGroup
		ended := make(chan struct{})
		for range 8 {
			connecting.Go(func() {
				for {
					select {
					case <-ended:
						return
					default:
						db, _ := sql.Open("postgres", "host="+host+" port="+port+" user=postgres dbname=postgres sslmode=disable")
						_ = db.PingContext(t.Context())
						_ = db.Close()
					}
				}
			})
		}
		time.Sleep(50 * time.Millisecond)
		c.Crash()
		left := c.Processes()
		close(ended)
		connecting.Wait()
		is.Equal(left, nil)
		is.NoErr(c.Restart(t.Context()))
	}
}
