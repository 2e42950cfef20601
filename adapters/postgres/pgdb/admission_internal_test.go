package pgdb

import (
	"context"
	"database/sql"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/matryer/is"
	"lyceum/adapters/limiter"
)

// A single active school can hold ten of eleven connections, and five while another is active. One of
// its keys leaves one of them to others.
func TestConnectionsOfSchool(t *testing.T) {
	is := is.New(t)
	pool := sqlx.NewDb(sql.OpenDB(nil), "postgres")
	pool.SetMaxOpenConns(12)
	one, other := limiter.Origin{School: [16]byte{1}}, limiter.Origin{School: [16]byte{2}}
	held := func(l *limiter.Limiter) int {
		for range 12 {
			go func() { _, _ = l.Acquire(t.Context(), one) }()
		}
		for s := l.Stats(); s.Running+s.Waiting < 12; s = l.Stats() {
		}
		return l.Stats().Running
	}
	is.Equal(held(newLimiter(pool)), 9)
	shared := newLimiter(pool)
	slot, err := shared.Acquire(context.Background(), other)
	is.NoErr(err)
	slot.Release()
	is.Equal(held(shared), 4)
	slot, err = shared.Acquire(context.Background(), limiter.Origin{School: one.School, Key: [16]byte{1}})
	is.NoErr(err)
	slot.Release()
}
