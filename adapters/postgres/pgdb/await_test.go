package pgdb_test

import (
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/postgres/pgdb"
)

// silent starts a server that closes its first connection and never responds on later ones. It
// returns a DSN for the server and a counter of the accepted connections.
func silent(t *testing.T) (string, *atomic.Int32) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	is.New(t).NoErr(err)
	t.Cleanup(func() { _ = l.Close() })
	var accepted atomic.Int32
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			if accepted.Add(1) == 1 {
				_ = c.Close()
				continue
			}
			t.Cleanup(func() { _ = c.Close() })
		}
	}()
	return "postgres://u@" + l.Addr().String() + "/none?sslmode=disable", &accepted
}

// If the dial timeout ends the second attempt to connect, Open returns the error of the first
// attempt, because only that error contains the cause.
func TestOpenReturnsErrorBeforeTimeout(t *testing.T) {
	is := is.New(t)
	dsn, accepted := silent(t)
	_, err := pgdb.Open(t.Context(), pgdb.Config{DSN: dsn, DialTimeout: 300 * time.Millisecond})
	is.True(err != nil)
	is.True(!strings.Contains(err.Error(), "deadline") && !strings.Contains(err.Error(), "timeout"))
	is.Equal(accepted.Load(), int32(2))
}

func TestOpenWithOneAttempt(t *testing.T) {
	is := is.New(t)
	dsn, accepted := silent(t)
	_, err := pgdb.Open(t.Context(), pgdb.Config{DSN: dsn, OneAttempt: true})
	is.True(err != nil)
	is.Equal(accepted.Load(), int32(1))
}
