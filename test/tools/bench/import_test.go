package bench_test

import (
	"context"
	"flag"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/demo"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit/pgtest"
)

var imported = flag.Float64("import", 0, "size of BenchmarkImport: 1 is a million enrollments and five million events; 0 leaves it out")

// BenchmarkImport compares a load with a COPY of the same rows into tables that
// have the columns and indexes of the first and nothing else: no references that
// are checked, no counts. The rows of course analytics, which come with
// enrollments, are copied too. It reports the speed of the load as a part of that
// of the COPY: at 0.5 it takes twice the time.
func BenchmarkImport(b *testing.B) {
	if *imported <= 0 {
		b.Skip("no size; see make bench-import")
	}
	some := func(n int) int { return int(*imported * float64(n)) }
	made := generate(b, demo.Size{
		People: some(100_000), Courses: some(2000), Categories: 20, Enrollments: some(1_000_000), Events: some(5_000_000), Seed: 7,
	})
	dsn := pgtest.Fresh(b)
	db, err := pgdb.Open(b.Context(), pgdb.Config{DSN: dsn})
	try(b, err)
	defer func() { _ = db.Close() }()
	try(b, postgres.Migrate(b.Context(), db, slog.New(slog.DiscardHandler)))
	store, id := postgres.New(db), school.ID{UUID: uuid.New()}
	own, err := school.New(id, "Loaded", school.Preregistration, time.Now())
	try(b, err)
	try(b, store.Schools().Add(b.Context(), own))
	load(b, store, id, made.catalog)
	for _, part := range []struct {
		tables  []string // the first one's rows are counted
		batches []ports.Batch
	}{{[]string{"enrollments", "course_analytics_rows"}, made.enrollments}, {[]string{"events"}, made.events}} {
		b.Run(part.tables[0], func(b *testing.B) {
			//lint:ignore SA3001 the rows are new once
			b.N = 1
			ours := load(b, store, id, part.batches)
			rows, bare := bareCopy(b, dsn, part.tables[0])
			for _, beside := range part.tables[1:] {
				_, took := bareCopy(b, dsn, beside)
				bare += took
			}
			b.ReportMetric(float64(rows)/ours.Seconds(), "rows/s")
			b.ReportMetric(float64(rows)/bare.Seconds(), "bare_rows/s")
			b.ReportMetric(bare.Seconds()/ours.Seconds(), "of_bare")
		})
	}
}

// load loads batches and returns how long it took.
func load(b *testing.B, to ports.Loader, id school.ID, batches []ports.Batch) time.Duration {
	b.Helper()
	begin := time.Now()
	try(b, to.Load(b.Context(), id, func(ctx context.Context, l ports.LoadTx) error {
		for _, batch := range batches {
			if err := l.Add(ctx, batch); err != nil {
				return err
			}
		}
		return nil
	}))
	return time.Since(begin)
}

func try(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
