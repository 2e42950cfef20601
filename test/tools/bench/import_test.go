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
	"lyceum/adapters/postgres/migrations"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit"
	"lyceum/test/kit/pgtest"
)

var imported = flag.Float64("import", 0, "size of BenchmarkImport: 1 is a million enrollments and five million events; 0 leaves it out")

// BenchmarkImport compares a load with a COPY of the same rows into tables with the same columns
// and indexes, but without foreign keys and counters. The copied rows include the course analytics
// that enrollments create. BenchmarkImport reports the speed of the load relative to the COPY: 0.5
// means that the load takes twice as long.
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
	mustSucceed(b, err)
	defer func() { _ = db.Close() }()
	mustSucceed(b, migrations.Apply(b.Context(), db, slog.New(slog.DiscardHandler)))
	store, id := postgres.New(db), school.ID{UUID: uuid.New()}
	own, err := school.New(id, "Loaded", school.Preregistration, time.Now())
	mustSucceed(b, err)
	mustSucceed(b, kit.AddSchool(b.Context(), store, own))
	load(b, store, id, made.catalog)
	for _, part := range []struct {
		tables  []string // the rows of the first table are counted
		batches []ports.Batch
	}{{[]string{"enrollments", "course_analytics_rows"}, made.enrollments}, {[]string{"events"}, made.events}} {
		b.Run(part.tables[0], func(b *testing.B) {
			b.N = 1 //lint:ignore SA3001 the rows are new once
			ours := load(b, store, id, part.batches)
			rows, bare := copyRows(b, dsn, part.tables[0])
			for _, other := range part.tables[1:] {
				_, took := copyRows(b, dsn, other)
				bare += took
			}
			b.ReportMetric(float64(rows)/ours.Seconds(), "rows/s")
			b.ReportMetric(float64(rows)/bare.Seconds(), "bare_rows/s")
			b.ReportMetric(bare.Seconds()/ours.Seconds(), "of_bare")
		})
	}
}

// load loads batches and returns the duration.
func load(b *testing.B, to ports.Loader, id school.ID, batches []ports.Batch) time.Duration {
	b.Helper()
	begin := time.Now()
	mustSucceed(b, to.Load(b.Context(), id, func(ctx context.Context, l ports.LoadTx) error {
		for _, batch := range batches {
			if err := l.Add(ctx, batch); err != nil {
				return err
			}
		}
		return nil
	}))
	return time.Since(begin)
}

func mustSucceed(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
