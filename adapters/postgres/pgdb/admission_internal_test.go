package pgdb

import (
	"context"
	"database/sql"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/matryer/is"
	"lyceum/adapters/admission"
)

// A school alone holds ten of eleven connections, and five while another is active.
func TestConnectionsOfASchool(t *testing.T) {
	is := is.New(t)
	pool := sqlx.NewDb(sql.OpenDB(nil), "postgres")
	pool.SetMaxOpenConns(12)
	one, other := admission.Origin{School: [16]byte{1}}, admission.Origin{School: [16]byte{2}}
	held := func(l *admission.Limiter) int {
		for range 12 {
			go func() { _, _ = l.Acquire(t.Context(), one) }()
		}
		for s := l.Stats(); s.Running+s.Waiting < 12; s = l.Stats() {
		}
		return l.Stats().Running
	}
	is.Equal(held(newAdmission(pool)), 10)
	shared := newAdmission(pool)
	slot, err := shared.Acquire(context.Background(), other)
	is.NoErr(err)
	slot.Release()
	is.Equal(held(shared), 5)
}
