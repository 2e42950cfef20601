package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit/pgtest"
)

// welcome adds a person with an invitation and its letter, which are all put off.
func welcome(id school.ID, email string) func(ctx context.Context, tx ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error {
		p, letter := newPerson(email), newJob(id)
		return errors.Join(
			tx.People.Add(ctx, p),
			tx.Invitations.Put(ctx, []invitation.Invitation{{Person: p.State().ID, Letter: letter.ID, AskedAt: now}}),
			tx.Jobs.Add(ctx, letter),
		)
	}
}

func TestWhatIsPutOffIsKeptAsAWhole(t *testing.T) {
	errOwn := errors.New("own")
	for _, tc := range []struct {
		name   string
		broken string // the table that refuses rows
		after  func(ctx context.Context, tx ports.Tx) error
		kept   int
		runs   int
		err    error // nil: any, where nothing is kept
	}{
		{"and nothing else was asked", "", nil, 1, 1, nil},
		{"and a read sees it", "", func(ctx context.Context, tx ports.Tx) error {
			found, err := tx.People.ByEmail(ctx, []string{"ada@example.test"})
			if err == nil && len(found) != 1 {
				err = errors.New("she is not there")
			}
			return err
		}, 1, 1, nil},
		{"and a write comes after it", "", func(ctx context.Context, tx ports.Tx) error {
			return tx.Categories.Add(ctx, newCategory("Art"))
		}, 1, 1, nil},
		{"not when the function fails", "", func(context.Context, ports.Tx) error { return errOwn }, 0, 1, errOwn},
		{"not when the first is refused", "people", nil, 0, 2, nil},
		{"not when the last is refused", "jobs", nil, 0, 2, nil},
		{"not when the function hides what is refused", "invitations", func(ctx context.Context, tx ports.Tx) error {
			_ = tx.Categories.Add(ctx, newCategory("Art"))
			return nil
		}, 0, 2, nil},
		{"not when all fail", "jobs", func(context.Context, ports.Tx) error { return errOwn }, 0, 2, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			s, db := freshStore(t)
			if tc.broken != "" {
				execute(t, db, `ALTER TABLE `+tc.broken+` ADD CHECK (false) NOT VALID`)
			}
			id, runs := newSchool(t, s), 0
			err := s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
				runs++
				err := welcome(id, "ada@example.test")(ctx, tx)
				if err == nil && tc.after != nil {
					err = tc.after(ctx, tx)
				}
				return err
			})
			is.Equal(err == nil, tc.kept == 1)
			is.True(tc.err == nil || errors.Is(err, tc.err))
			is.Equal(fault.All(err), nil) // never told to a client
			is.Equal(runs, tc.runs)
			for _, table := range []string{"people", "invitations", "jobs"} {
				is.Equal(count(t, db, `SELECT count(*) FROM `+table), tc.kept)
			}
		})
	}
}

// Only the second run is told that an address is taken, and by whom, whatever the
// first made of not knowing.
func TestATakenAddressIsToldThoughPutOff(t *testing.T) {
	errOwn := errors.New("own")
	for _, own := range []error{nil, errOwn} {
		is := is.New(t)
		s, db := freshStore(t)
		id, ada := newSchool(t, s), newPerson("ada@example.test")
		within(t, s, id, func(ctx context.Context, tx ports.Tx) error { return tx.People.Add(ctx, ada) })
		err := s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
			return errors.Join(own, welcome(id, "ADA@example.test")(ctx, tx))
		})
		faults := fault.All(err)
		is.Equal(len(faults), 1)
		is.Equal(faults[0].Field, "email")
		is.Equal(faults[0].Holder.ID, ada.State().ID.UUID)
		is.True(own == nil || errors.Is(err, own))
		is.Equal(count(t, db, `SELECT count(*) FROM people`), 1)
		is.Equal(count(t, db, `SELECT count(*) FROM jobs`), 0)
	}
}

// What was put off meets a deadlock as any statement does.
func TestWhatIsPutOffIsTriedAgain(t *testing.T) {
	for _, tc := range []struct {
		name, sqlstate string
		failures, runs int
		ok             bool
	}{
		{"after a deadlock", "40P01", 1, 2, true},
		{"up to five times in all", "40001", 5, 5, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			s, db := freshStore(t)
			execute(t, db, failing(tc.failures, tc.sqlstate)...)
			execute(t, db, `CREATE TRIGGER fail_job BEFORE INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION fail_first()`)
			id, runs := newSchool(t, s), 0
			err := s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
				runs++
				return welcome(id, "ada@example.test")(ctx, tx)
			})
			is.Equal(err == nil, tc.ok)
			is.Equal(runs, tc.runs)
			is.Equal(count(t, db, `SELECT count(*) FROM people`) == 1, tc.ok)
		})
	}
}

func TestMergedStatementsKeepTheirParametersApart(t *testing.T) {
	is := is.New(t)
	is.Equal(postgres.Merged(nil, nil, nil), "")
	is.Equal(postgres.Merged([]string{"INSERT $1, $2"}, nil, nil), "WITH w0 AS (INSERT $1, $2) SELECT 1")
	is.Equal(postgres.Merged(nil, nil, []string{"SELECT $1"}), "SELECT (SELECT $1)")
	is.Equal(
		postgres.Merged([]string{"INSERT $1", "\n\tADD $2, $1", "INSERT $1, $10"}, []string{"\n\tADD $2, $1"}, []string{"SELECT $1"}),
		"WITH w0 AS (INSERT $1), w1 AS (ADD $3, $2), w2 AS (INSERT $4, $13) "+
			"SELECT (SELECT 1 / count(*) FROM w1), (SELECT $14)")
}

// A server goes by the school as it saw it last, and finds out in time when
// another server has changed it meanwhile.
func TestASchoolIsTrustedOnlyWhileItIsTheSame(t *testing.T) {
	errRefused := errors.New("refused")
	welcomed := func(id school.ID, email string) func(ctx context.Context, tx ports.Tx) error {
		return func(ctx context.Context, tx ports.Tx) error {
			s, err := tx.School.Get(ctx)
			switch {
			case err != nil:
				return err
			case s.State().Auth == school.URL:
				return errRefused
			}
			return welcome(id, email)(ctx, tx)
		}
	}
	for _, tc := range []struct {
		name     string
		from, to school.AuthMethod
		refused  bool
	}{
		{"and refuses then", school.Open, school.URL, true},
		{"and refuses no more", school.URL, school.Open, false},
		{"and there are other changes", school.Open, school.SSO, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			dsn := pgtest.DSN(t)
			mine, others := openStore(t, dsn), openStore(t, dsn)
			id := newSchool(t, mine)
			become := func(s *postgres.Store, auth school.AuthMethod) {
				within(t, s, id, func(ctx context.Context, tx ports.Tx) error {
					found, err := tx.School.Find(ctx)
					if err != nil {
						return err
					}
					state := found.State()
					state.Auth = auth
					if err := tx.School.Save(ctx, school.Restore(state)); err != nil {
						return err
					}
					own, err := tx.School.Get(ctx)
					is.Equal(own.State().Auth, auth) // who changes it sees that at once
					return err
				})
			}
			become(mine, tc.from)
			_, err := mine.Read(id).School.Get(t.Context())
			is.NoErr(err)

			become(others, tc.to)
			for i, email := range []string{"ada@example.test", "bob@example.test"} {
				runs := 0
				err := mine.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
					runs++
					return welcomed(id, email)(ctx, tx)
				})
				is.Equal(errors.Is(err, errRefused), tc.refused)
				is.Equal(err == nil, !tc.refused)
				is.Equal(runs, 2-i) // the second time it is known
			}
		})
	}
}

// What a transaction did not keep is nothing to go by.
func TestASchoolThatWasNotKeptIsNotTrusted(t *testing.T) {
	is := is.New(t)
	s := openStore(t, pgtest.DSN(t))
	id := newSchool(t, s)
	before, err := s.Read(id).School.Get(t.Context())
	is.NoErr(err)
	errOwn := errors.New("own")
	is.True(errors.Is(s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
		found, err := tx.School.Find(ctx)
		if err != nil {
			return err
		}
		state := found.State()
		state.Name = "Another"
		if err := tx.School.Save(ctx, school.Restore(state)); err != nil {
			return err
		}
		if _, err := tx.School.Get(ctx); err != nil {
			return err
		}
		return errOwn
	}), errOwn))
	within(t, s, id, func(ctx context.Context, tx ports.Tx) error {
		now, err := tx.School.Get(ctx)
		is.Equal(now, before)
		return err
	})
}

// A refusal that may rest on what is no longer so, or on not knowing, is not told
// before that is sure.
func TestARefusalWaitsForWhatWasPutOff(t *testing.T) {
	errOwn := errors.New("own")
	for _, tc := range []struct {
		name, held string // what a rival holds
		fn         func(id school.ID) func(ctx context.Context, tx ports.Tx) error
	}{
		{
			"the school", `LOCK TABLE schools IN ACCESS EXCLUSIVE MODE`,
			func(school.ID) func(ctx context.Context, tx ports.Tx) error {
				return func(ctx context.Context, tx ports.Tx) error {
					_, err := tx.School.Get(ctx)
					return err
				}
			},
		},
		{
			"a person", `LOCK TABLE people IN ACCESS EXCLUSIVE MODE`,
			func(id school.ID) func(ctx context.Context, tx ports.Tx) error {
				return welcome(id, "ada@example.test")
			},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			s, db := freshStore(t)
			id := newSchool(t, s)
			within(t, s, id, welcome(id, "bob@example.test")) // so that all is prepared, and the school seen
			_, err := s.Read(id).School.Get(t.Context())
			is.NoErr(err)
			rival := begin(t, db)
			_, err = rival.ExecContext(t.Context(), tc.held)
			is.NoErr(err)
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			err = s.InTx(ctx, id, func(ctx context.Context, tx ports.Tx) error {
				return errors.Join(tc.fn(id)(ctx, tx), errOwn)
			})
			is.True(errors.Is(err, context.DeadlineExceeded))
			is.True(!errors.Is(err, errOwn))
		})
	}
}

// Whatever a function makes of it, nothing is kept when what was put off could not
// be written.
func TestAHiddenFailureOfWhatWasPutOffKeepsNothing(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	id := newSchool(t, s)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	err := s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
		err := welcome(id, "ada@example.test")(ctx, tx)
		_, _ = tx.People.ByEmail(over, []string{"ada@example.test"})
		return err
	})
	is.True(err != nil)
	is.Equal(count(t, db, `SELECT count(*) FROM people`), 0)
	is.Equal(count(t, db, `SELECT count(*) FROM jobs`), 0)
}

func TestALostConnectionLosesWhatWasPutOff(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	id := newSchool(t, s)
	execute(t, db,
		`CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$`,
		`CREATE TRIGGER die BEFORE INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION die()`)
	is.True(fault.Is(s.InTx(t.Context(), id, welcome(id, "ada@example.test")), fault.Unavailable))
	is.Equal(count(t, db, `SELECT count(*) FROM people`), 0)
	execute(t, db, `DROP TRIGGER die ON jobs`)
	within(t, s, id, welcome(id, "ada@example.test"))
}

// When the answer to the first run was lost although it was kept, the driver or the
// store may try again, and finds its own rows. Nobody is told that they are
// another's.
func TestWhoMeetsTheirOwnRowsIsInDoubt(t *testing.T) {
	is := is.New(t)
	s := openStore(t, pgtest.DSN(t))
	id, ada := newSchool(t, s), newPerson("ada@example.test")
	letter := newJob(id)
	for _, again := range []bool{false, true} {
		for _, add := range []func(ctx context.Context, tx ports.Tx) error{
			func(ctx context.Context, tx ports.Tx) error { return tx.People.Add(ctx, ada) },
			func(ctx context.Context, tx ports.Tx) error { return tx.Jobs.Add(ctx, letter) },
		} {
			err := s.InTx(t.Context(), id, add)
			is.Equal(fault.Is(err, fault.Unavailable), again)
			is.Equal(err == nil, !again)
		}
	}
}
