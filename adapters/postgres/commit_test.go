package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit/pgtest"
)

const waitingForStandby = `SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`

// A write succeeds only if the synchronous standby has it, even if the request ends, or an operator
// cancels the statement, while the commit waits for the standby.
func TestCommitWaitsForSynchronousStandby(t *testing.T) {
	is := is.New(t)
	pair := pgtest.NewPair(t)
	pair.Synchronize(t)
	hideWarnings(t, pair.Primary) // the store itself turns warnings on
	s, primary := openStore(t, pair.Primary), raw(t, pair.Primary)
	id := newSchool(t, s)
	for _, write := range writes(s, id) {
		is.NoErr(write(t.Context()))
	}
	k := newKey(t, s, id)
	within(t, s, id, func(ctx context.Context, tx ports.Tx) error {
		return errors.Join(tx.Jobs.Add(ctx, newJob(id)), tx.Jobs.Add(ctx, newJob(id)), tx.Jobs.Add(ctx, newJob(id)))
	})
	execute(t, primary, `UPDATE jobs SET state = 'dead'`)
	pair.CatchUp(t)
	resume := pair.Stall(t)

	add := func(name string) func(context.Context) error {
		return func(ctx context.Context) error {
			return s.InTx(ctx, id, func(ctx context.Context, tx ports.Tx) error {
				return tx.Categories.Add(ctx, newCategory(name))
			})
		}
	}
	deleteJob := func(ctx context.Context) error {
		_, err := s.Queue().DeleteDead(ctx, "letter", now.Add(time.Hour), 1)
		return err
	}
	addPerson := func(email string) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := s.AddPerson(ctx, id, ports.NewPerson{Person: newPerson(email), Admitting: school.AuthMethods(), Job: newJob(id)})
			return err
		}
	}

	t.Run("the request takes too long", func(t *testing.T) {
		for name, write := range map[string]func(context.Context) error{
			"transaction": add("late"), "statement": deleteJob, "statement with a result": addPerson("late@example.test"),
		} {
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			begun := time.Now()
			if err := write(ctx); !fault.Is(err, fault.Unavailable) && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v", name, err)
			}
			is.True(time.Since(begun) < 5*time.Second)
		}
	})
	t.Run("the client disconnects", func(t *testing.T) {
		for name, write := range map[string]func(context.Context) error{
			"transaction": add("gone"), "statement": deleteJob, "statement with a result": addPerson("gone@example.test"),
		} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			ctx, disconnect := context.WithCancel(ctx)
			time.AfterFunc(200*time.Millisecond, disconnect)
			if write(ctx) == nil {
				t.Errorf("%s: no error", name)
			}
		}
	})
	is.Equal(count(t, primary, waitingForStandby), 6) // the six writes wait and are not visible yet
	is.Equal(count(t, primary, `SELECT count(*) FROM categories WHERE name IN ('late', 'gone')`), 0)
	is.Equal(count(t, primary, `SELECT count(*) FROM people`), 0)

	t.Run("an operator cancels", func(t *testing.T) {
		for name, write := range map[string]func(context.Context) error{
			"transaction": add("canceled"), "statement": deleteJob, "statement with a result": addPerson("canceled@example.test"),
		} {
			failed := make(chan error)
			go func() { failed <- write(t.Context()) }()
			until(func() bool { return count(t, primary, waitingForStandby) == 7 })
			execute(t, primary, `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
				WHERE wait_event = 'SyncRep' ORDER BY state_change DESC LIMIT 1`)
			if err := <-failed; !fault.Is(err, fault.Unavailable) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
	t.Run("the last use of a key does not wait", func(t *testing.T) {
		is := is.New(t)
		is.NoErr(s.Schools().TouchKey(t.Context(), k.ID, now.Add(time.Hour)))
		reads(t, s, id)
	})

	resume()
	until(func() bool { return count(t, primary, waitingForStandby) == 0 })
	is.Equal(count(t, primary, `SELECT count(*) FROM categories WHERE name IN ('late', 'gone', 'canceled')`), 3)
	is.NoErr(add("next")(t.Context()))
	pair.CatchUp(t)
	is.Equal(count(t, raw(t, pair.Standby), `SELECT count(*) FROM categories WHERE name = 'next'`), 1)
}

func newKey(t *testing.T, s *postgres.Store, in school.ID) school.Key {
	t.Helper()
	terms := school.KeyParams{Name: "key", Scope: school.Admin}
	k, _, err := school.NewKey(school.KeyID{UUID: uuid.New()}, in, terms, make([]byte, school.SecretBytes), now)
	if err == nil {
		err = s.InTx(t.Context(), in, func(ctx context.Context, tx ports.Tx) error { return tx.Keys.Add(ctx, k) })
	}
	is.New(t).NoErr(err)
	return k
}
