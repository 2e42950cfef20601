package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/domain/fault"
	"lyceum/domain/school"
)

// conflicting returns statements that make every read of the schools, and every lease of a job,
// fail with the given SQLSTATE.
func conflicting(sqlstate string) []string {
	const failing = `LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'injected' USING ERRCODE = '%s'; END $$`
	return []string{
		fmt.Sprintf(`CREATE FUNCTION fail() RETURNS SETOF schools `+failing, sqlstate),
		`ALTER TABLE schools RENAME TO kept`,
		`CREATE VIEW schools AS SELECT * FROM fail()`,
		fmt.Sprintf(`CREATE FUNCTION fail_lease() RETURNS trigger `+failing, sqlstate),
		`CREATE TRIGGER fail_lease BEFORE UPDATE ON jobs FOR EACH STATEMENT EXECUTE FUNCTION fail_lease()`,
	}
}

// Only transactions are retried. In a reader, in ports.Schools and in the queue, a conflict is an
// outage. The race detector checks concurrent conflicts.
func TestConflictsOutsideTxAreOutages(t *testing.T) {
	shared := map[string]func(s *postgres.Store, id school.ID) func(ctx context.Context) error{
		"a reader": func(s *postgres.Store, id school.ID) func(ctx context.Context) error {
			r := s.Read(id).School
			return func(ctx context.Context) error { _, err := r.Get(ctx); return err }
		},
		"the schools": func(s *postgres.Store, _ school.ID) func(ctx context.Context) error {
			all := s.Schools()
			return func(ctx context.Context) error { _, err := all.List(ctx); return err }
		},
		"the queue": func(s *postgres.Store, _ school.ID) func(ctx context.Context) error {
			q := s.Queue()
			return func(ctx context.Context) error {
				_, err := q.Lease(ctx, "letter", 1, now, now.Add(time.Minute))
				return err
			}
		},
	}
	for _, sqlstate := range []string{"40P01", "40001"} {
		s, db := freshStore(t)
		id := newSchool(t, s)
		execute(t, db, conflicting(sqlstate)...)
		for name, share := range shared {
			t.Run(sqlstate+" on "+name, func(t *testing.T) {
				is := is.New(t)
				for range 20 {
					call := share(s, id)
					var errs [8]error // not a channel, which would synchronize the goroutines
					var all sync.WaitGroup
					for i := range errs {
						all.Go(func() { errs[i] = call(t.Context()) })
					}
					all.Wait()
					for _, err := range errs {
						is.True(fault.Is(err, fault.Unavailable))
					}
				}
			})
		}
	}
}
