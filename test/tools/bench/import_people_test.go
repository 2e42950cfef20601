package bench_test

import (
	"database/sql"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"lyceum/adapters/clock"
	"lyceum/adapters/files"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/migrations"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/app"
	"lyceum/app/transfer"
	"lyceum/domain/school"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/pgtest"
)

var importedPeople = flag.Int("people", 0, "people of BenchmarkImportPeople; 0 leaves it out")

// BenchmarkImportPeople imports people as CSV into an empty database and runs ANALYZE. It then
// imports the same number of people into a second school, for which the database has no statistics.
// It reports the ratio of the second duration to the first.
func BenchmarkImportPeople(b *testing.B) {
	if *importedPeople <= 0 {
		b.Skip("no people; see make bench-import-people")
	}
	dsn := pgtest.Fresh(b)
	db, err := pgdb.Open(b.Context(), pgdb.Config{DSN: dsn})
	mustSucceed(b, err)
	defer func() { _ = db.Close() }()
	mustSucceed(b, migrations.Apply(b.Context(), db, slog.New(slog.DiscardHandler)))
	own, err := sql.Open("postgres", dsn)
	mustSucceed(b, err)
	defer func() { _ = own.Close() }()
	_, err = own.ExecContext(b.Context(), `ALTER TABLE people SET (autovacuum_enabled = off)`)
	mustSucceed(b, err)
	store := postgres.New(db)
	a := app.New(store, store.Schools(), store.Queue(), files.NewMemory(), fake.NewInvitationSender(), clock.System{}, clock.Random{})
	var text strings.Builder
	text.WriteString("email,first_name,last_name\n")
	for i := range *importedPeople {
		fmt.Fprintf(&text, "p%d@example.test,First %d,Last %d\n", i, i, i)
	}
	bring := func(name string) time.Duration {
		made, err := a.Provision.CreateSchool(b.Context(), name, school.Preregistration, "")
		mustSucceed(b, err)
		begin := time.Now()
		_, err = a.Transfers.ImportPeople(b.Context(), app.SystemActor(made.ID), transfer.Import{
			Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text.String())), nil },
		}, false)
		mustSucceed(b, err)
		return time.Since(begin)
	}
	b.N = 1 //lint:ignore SA3001 the people are new once
	first := bring("First")
	_, err = own.ExecContext(b.Context(), `ANALYZE`)
	mustSucceed(b, err)
	second := bring("Second")
	b.ReportMetric(first.Seconds(), "empty_s")
	b.ReportMetric(second.Seconds(), "second_s")
	b.ReportMetric(second.Seconds()/first.Seconds(), "of_empty")
}
