package postgres_test

import (
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/postgres/migrations"
	"lyceum/domain/fault"
	"lyceum/test/kit/pgtest"
)

// If the database cannot open a file of a table, requests that need the file fail with an outage
// until the file can be opened again.
func TestUnusableDataFile(t *testing.T) {
	is := is.New(t)
	c := pgtest.NewFastCluster(t)
	host, port, err := net.SplitHostPort(c.Addr())
	is.NoErr(err)
	dsn := "host=" + host + " port=" + port + " user=postgres dbname=postgres sslmode=disable"
	is.NoErr(migrations.Apply(t.Context(), openDB(t, dsn), slog.New(slog.DiscardHandler)))
	id := newSchool(t, openStore(t, dsn))
	var file string
	is.NoErr(raw(t, dsn).QueryRowContext(t.Context(),
		`SELECT current_setting('data_directory') || '/' || pg_relation_filepath('categories')`).Scan(&file))

	for _, tt := range []struct {
		name           string
		damage, repair func() error
	}{
		{"denied", func() error { return os.Chmod(file, 0) }, func() error { return os.Chmod(file, 0o600) }},
		{
			"missing", func() error { return os.Rename(file, filepath.Join(filepath.Dir(file), "moved")) },
			func() error { return os.Rename(filepath.Join(filepath.Dir(file), "moved"), file) },
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.NoErr(tt.damage())
			s := openStore(t, dsn) // a connection that already has the file open would not notice
			err := list(t.Context(), s, id)
			is.NoErr(tt.repair())
			if !fault.Is(err, fault.Unavailable) {
				t.Errorf("%v", err)
			}
			is.NoErr(list(t.Context(), s, id))
		})
	}
}
