package postgres_test

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit/pgtest"
)

// If the connection is lost while a person is added, nothing is saved: no person, no invitation and
// no job.
func TestLostConnectionAddsNoPerson(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	id := newSchool(t, s)
	p, invite := newPerson("ada@example.test"), newJob(id)
	ada := ports.NewPerson{
		Person: p, Admitting: school.AuthMethods(), Inviting: school.AuthMethods(), Job: invite,
		Invitation: invitation.Invitation{Person: p.State().ID, MessageID: invite.ID, RequestedAt: now},
	}
	execute(t, db,
		`CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$`,
		`CREATE TRIGGER die BEFORE INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION die()`)
	_, err := s.AddPerson(t.Context(), id, ada)
	is.True(fault.Is(err, fault.Unavailable))
	is.Equal(count(t, db, `SELECT count(*) FROM people`), 0)
	execute(t, db, `DROP TRIGGER die ON jobs`)
	added, err := s.AddPerson(t.Context(), id, ada)
	is.NoErr(err)
	is.True(added != nil)
}

// If the response to a commit is lost, the driver or the store may retry and find the rows of the
// first attempt. The client must then get an outage and not a conflict with its own record.
func TestRetryThatFindsItsOwnRowsIsOutage(t *testing.T) {
	is := is.New(t)
	s := openStore(t, pgtest.DSN(t))
	id, ada := newSchool(t, s), newPerson("ada@example.test")
	added := newJob(id)
	for _, again := range []bool{false, true} {
		for _, add := range []func(ctx context.Context, tx ports.Tx) error{
			func(ctx context.Context, tx ports.Tx) error { return tx.People.Add(ctx, ada) },
			func(ctx context.Context, tx ports.Tx) error { return tx.Jobs.Add(ctx, added) },
		} {
			err := s.InTx(t.Context(), id, add)
			is.Equal(fault.Is(err, fault.Unavailable), again)
			is.Equal(err == nil, !again)
		}
	}
}
