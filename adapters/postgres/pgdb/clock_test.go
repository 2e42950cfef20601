package pgdb_test

import (
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/test/kit/pgtest"
)

func TestCheckClock(t *testing.T) {
	db, err := pgdb.Open(t.Context(), pgdb.Config{DSN: pgtest.Fresh(t)})
	is.New(t).NoErr(err)
	t.Cleanup(func() { _ = db.Close() })
	for name, tt := range map[string]struct {
		ahead time.Duration // of the clock of the server
		ok    bool
	}{
		"equal":         {0, true},
		"a bit behind":  {-8 * time.Second, true},
		"far behind":    {-time.Minute, false},
		"a bit ahead":   {8 * time.Second, true},
		"an hour ahead": {time.Hour, false},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			err := db.CheckClock(t.Context(), func() time.Time { return time.Now().Add(tt.ahead) })
			is.Equal(err == nil, tt.ok)
		})
	}
}
