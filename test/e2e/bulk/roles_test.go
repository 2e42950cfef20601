package bulk_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/app/usecase"
	"lyceum/domain/audit"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/test/kit"
	"lyceum/test/kit/intercept"
	"lyceum/test/kit/pgtest"
	"lyceum/test/kit/stores"
)

// sender is a person of the staff who has sent a bulk request about one new person.
type sender struct {
	*world
	id   person.ID
	role person.PartnershipID
	job  bulk.ID
}

// newSender returns a manager who has sent a bulk request.
func newSender(t *testing.T, b stores.Backend) *sender {
	t.Helper()
	is, w := is.New(t), newWorld(t, b, school.Preregistration)
	p, err := w.People.Create(t.Context(), w.actor, person.Profile{Email: "manager@example.test"})
	is.NoErr(err)
	s := &sender{world: w, id: p.ID}
	s.role = s.give(person.Manager)
	in, err := kit.SignIn(t.Context(), w.App, w.actor.School(), p.ID)
	is.NoErr(err)
	admin := w.actor
	w.actor = usecase.ByStaff(admin.School(), in, s.role, school.Write).PermitStaff()
	s.job = w.accept(bulk.People, "ada@example.test Beginners", "invalid")
	w.actor = admin
	return s
}

// give gives the sender a role.
func (s *sender) give(r person.Role) person.PartnershipID {
	s.t.Helper()
	held, err := s.Partnerships.Create(s.t.Context(), s.actor, s.id, r)
	if err != nil {
		s.t.Fatal(err)
	}
	return held.ID
}

// endRole ends the role with which the request was sent.
func (s *sender) endRole() {
	s.t.Helper()
	if err := s.Partnerships.Delete(s.t.Context(), s.actor, s.role); err != nil {
		s.t.Fatal(err)
	}
}

// isAdded reports whether the row about ada was applied.
func (s *sender) isAdded() bool {
	s.t.Helper()
	people, err := s.People.List(s.t.Context(), s.actor, query.Query{Page: query.AllRows()})
	if err != nil {
		s.t.Fatal(err)
	}
	for _, p := range people.Items {
		if p.Email == "ada@example.test" {
			return true
		}
	}
	return false
}

// isRefused checks that the row about ada was refused because of the role.
func (s *sender) isRefused() {
	s.t.Helper()
	is, j := is.New(s.t), s.world.job(s.job)
	is.Equal(j.RowsFailed, 2)
	is.Equal(j.Errors[0], bulk.RowError{
		Row: 0, Kind: fault.Forbidden, Detail: "The role of the person who sent this request ended before the row was applied",
	})
	is.Equal(j.Errors[1].Kind, fault.Invalid)
	is.True(!s.isAdded())
}

// Rows of a person of the staff are applied only while the person is an owner or a manager.
func TestRowsOfStaff(t *testing.T) {
	for _, tt := range []struct {
		name   string
		before func(s *sender) error
		added  bool
	}{
		{"the role is kept", func(*sender) error { return nil }, true},
		{"the role ended", func(s *sender) error { s.endRole(); return nil }, false},
		{"the person was deleted", func(s *sender) error {
			s.endRole()
			return s.People.Delete(s.t.Context(), s.actor, s.id)
		}, false},
		{"the manager is an instructor now", func(s *sender) error {
			s.endRole()
			s.give(person.Instructor)
			return nil
		}, false},
		{"the manager is an owner now", func(s *sender) error {
			s.endRole()
			s.give(person.Owner)
			return nil
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			onEachStore(t, func(t *testing.T, b stores.Backend) {
				is, s := is.New(t), newSender(t, b)
				is.NoErr(tt.before(s))
				is.True(s.applyNext(s.App))
				if !tt.added {
					s.isRefused()
					return
				}
				is.Equal(s.world.job(s.job).RowsFailed, 1)
				is.True(s.isAdded())
				trail, err := s.Audit.List(t.Context(), s.actor, query.Query{Page: query.AllRows()})
				is.NoErr(err)
				events := 0
				for _, e := range trail.Items {
					if e.Request == s.job.String() {
						is.Equal(e.Actor, audit.Actor{Type: audit.Session, ID: uuid.Nil, Person: s.id})
						events++
					}
				}
				is.True(events > 0)
			})
		})
	}
}

// The role ends on another instance after the rows were applied and before the role is locked.
func TestRoleEndsWhileRowsAreApplied(t *testing.T) {
	is, dsn := is.New(t), pgtest.Exclusive(t)
	s, ended := newSender(t, stores.Postgres(t, dsn, 8)), false
	worker := s.appOn(intercept.Store(stores.Postgres(t, dsn, 8).Store, func(_ context.Context, call string) error {
		if call == "Tx.Partnerships.ExistsForShare" && !ended {
			ended = true
			s.endRole()
		}
		return nil
	}))
	is.True(s.applyNext(worker))
	is.True(ended)
	s.isRefused()
}

// An end of the role that begins after the role is locked waits for the commit of the rows.
func TestRoleEndsAfterRowsAreApplied(t *testing.T) {
	is, dsn := is.New(t), pgtest.Exclusive(t)
	s, ended := newSender(t, stores.Postgres(t, dsn, 8)), make(chan error, 1)
	begun := false
	worker := s.appOn(intercept.Store(stores.Postgres(t, dsn, 8).Store, func(_ context.Context, call string) error {
		if call != "Tx.Bulk.FinishPart" || begun {
			return nil
		}
		begun = true
		go func() { ended <- s.Partnerships.Delete(t.Context(), app.SystemActor(s.actor.School()), s.role) }()
		select {
		case err := <-ended:
			ended <- err
			t.Error("the end of the role did not wait")
		case <-time.After(300 * time.Millisecond):
		}
		return nil
	}))
	is.True(s.applyNext(worker))
	is.True(begun)
	is.NoErr(<-ended)
	is.True(s.isAdded())
}
