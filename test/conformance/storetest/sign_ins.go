package storetest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/signin"
	"lyceum/ports"
	"lyceum/test/kit/fake"
)

// newSession returns a session of a person without saving it.
func (s tenant) newSession(p person.ID) signin.Session {
	id := signin.SessionID{UUID: s.ids.New()}
	return signin.NewSession(id, s.id.String()+id.String(), p, "A browser", s.nextTime())
}

// newSignInLink returns a link that was sent to email, without saving it.
func (s tenant) newSignInLink(email string) signin.Link {
	id, at := signin.LinkID{UUID: s.ids.New()}, s.nextTime()
	l, err := signin.NewLink(id, s.id, email, "/courses", at)
	s.must(err)
	l.Mailed, l.ForKnown = true, true
	l.Send(s.id.String()+id.String(), at)
	return l
}

// addSignIns saves sessions and links.
func (s tenant) addSignIns(records ...any) {
	s.t.Helper()
	s.do(func(ctx context.Context, tx ports.Tx) error {
		var errs []error
		for _, r := range records {
			switch r := r.(type) {
			case signin.Session:
				errs = append(errs, tx.SignIns.AddSession(ctx, r, signin.MaxSessions))
			case signin.Link:
				errs = append(errs, tx.SignIns.AddLink(ctx, r))
			}
		}
		return errors.Join(errs...)
	})
}

// sessions tests the sessions of ports.SignInReader and ports.SignInRepo.
func sessions(t *testing.T, b Backend) {
	t.Run("AddSession inserts the session; Session finds it by its hash", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		want := w.newSession(w.addPerson("ada@example.test").ID)
		w.addSignIns(want)
		got, err := w.read().SignIns.Session(w.ctx(), want.Hash)
		is.NoErr(err)
		is.Equal(diff(got, want), "")
		_, err = w.read().SignIns.Session(w.ctx(), signin.HashToken("unknown"))
		is.True(isNotFound(err))
	})

	t.Run("AddSession returns an error for an unknown person and for a hash that exists", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		first := w.newSession(w.addPerson("ada@example.test").ID)
		w.addSignIns(first)
		unknown, again := w.newSession(person.ID{UUID: w.ids.New()}), w.newSession(first.Person)
		again.Hash = first.Hash
		for _, s := range []signin.Session{unknown, again} {
			err := w.try(func(ctx context.Context, tx ports.Tx) error { return tx.SignIns.AddSession(ctx, s, signin.MaxSessions) })
			is.True(err != nil)
			is.True(fault.All(err) == nil)
		}
	})

	t.Run("AddSession deletes the oldest other sessions of the person if there are more than max", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, grace := w.addPerson("ada@example.test").ID, w.addPerson("grace@example.test").ID
		one, two, three, hers := w.newSession(ada), w.newSession(ada), w.newSession(ada), w.newSession(grace)
		two.CreatedAt, hers.CreatedAt = one.CreatedAt.Add(time.Second), one.CreatedAt
		three.CreatedAt = one.CreatedAt.Add(-time.Second) // older than the others, which a clock can cause
		w.addSignIns(two, hers, one)
		w.do(func(ctx context.Context, tx ports.Tx) error { return tx.SignIns.AddSession(ctx, three, 2) })
		got, err := w.read().SignIns.Sessions(w.ctx(), ada)
		is.NoErr(err)
		is.Equal(diff(got, []signin.Session{two, three}), "")
		_, err = w.read().SignIns.Session(w.ctx(), hers.Hash)
		is.NoErr(err)
	})

	t.Run("AddSession does not wait for a session that another transaction deletes", func(t *testing.T) {
		if b.Serial {
			t.Skip("transactions run one after another")
		}
		is, w := is.New(t), newWorld(t, b)
		one := w.newSession(w.addPerson("ada@example.test").ID)
		w.addSignIns(one)
		two, three := w.newSession(one.Person), w.newSession(one.Person)
		w.do(func(ctx context.Context, tx ports.Tx) error {
			is.NoErr(tx.SignIns.AddSession(ctx, two, 1))
			return w.try(func(ctx context.Context, tx ports.Tx) error { return tx.SignIns.AddSession(ctx, three, 1) })
		})
	})

	t.Run("Sessions returns the sessions of a person, including expired ones, newest first, then by id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, grace := w.addPerson("ada@example.test").ID, w.addPerson("grace@example.test").ID
		old, one, two, hers := w.newSession(ada), w.newSession(ada), w.newSession(ada), w.newSession(grace)
		old.ExpiresAt = old.CreatedAt
		two.CreatedAt = one.CreatedAt
		w.addSignIns(two, hers, old, one)
		got, err := w.read().SignIns.Sessions(w.ctx(), ada)
		is.NoErr(err)
		want := []signin.Session{one, two}
		slices.SortFunc(want, func(a, b signin.Session) int { return strings.Compare(a.ID.String(), b.ID.String()) })
		is.Equal(diff(got, append(want, old)), "")
	})

	t.Run("SaveSession updates the use and the expiry, NotFound for an unknown session", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		s := w.newSession(w.addPerson("ada@example.test").ID)
		w.addSignIns(s)
		is.True(s.Use(s.UsedAt.Add(2 * time.Hour)))
		save := func(s signin.Session) error {
			return w.try(func(ctx context.Context, tx ports.Tx) error { return tx.SignIns.SaveSession(ctx, s) })
		}
		is.NoErr(save(s))
		got, err := w.read().SignIns.Session(w.ctx(), s.Hash)
		is.NoErr(err)
		is.Equal(diff(got, s), "")
		is.True(isNotFound(save(w.newSession(s.Person))))
	})

	t.Run("DeleteSession deletes one session, and only of its person", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, grace := w.addPerson("ada@example.test").ID, w.addPerson("grace@example.test").ID
		one, two := w.newSession(ada), w.newSession(ada)
		w.addSignIns(one, two)
		for range 2 { // deleting again changes nothing
			w.do(func(ctx context.Context, tx ports.Tx) error {
				return errors.Join(tx.SignIns.DeleteSession(ctx, ada, one.ID), tx.SignIns.DeleteSession(ctx, grace, two.ID))
			})
			got, err := w.read().SignIns.Sessions(w.ctx(), ada)
			is.NoErr(err)
			is.Equal(diff(got, []signin.Session{two}), "")
		}
	})

	t.Run("DeleteSessions deletes all sessions of a person, who cannot be deleted before", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, grace := w.addPerson("ada@example.test").ID, w.addPerson("grace@example.test").ID
		hers := w.newSession(grace)
		w.addSignIns(w.newSession(ada), w.newSession(ada), hers)
		w.mustRefuseRemoval(ada)
		w.do(func(ctx context.Context, tx ports.Tx) error { return tx.SignIns.DeleteSessions(ctx, ada) })
		is.NoErr(w.tryDeletePerson(ada))
		got, err := w.read().SignIns.Sessions(w.ctx(), ada)
		is.NoErr(err)
		is.Equal(len(got), 0)
		_, err = w.read().SignIns.Session(w.ctx(), hers.Hash)
		is.NoErr(err)
	})

	t.Run("DeleteExpiredSignIns deletes expired sessions and links of all schools, up to limit", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		const age = 200_000 * time.Hour // older than the sessions of other tests
		end := fake.Start.Add(-age)
		var old []signin.Session
		var links []signin.Link
		for _, s := range []tenant{w.tenant, w.otherTenant} {
			p := s.addPerson("old@example.test").ID
			for range 2 {
				session, l := s.newSession(p), s.newSignInLink("ada@example.test")
				session.ExpiresAt, l.ExpiresAt = end, end
				s.addSignIns(session, l)
				old, links = append(old, session), append(links, l)
			}
		}
		n, err := w.schools.DeleteExpiredSignIns(w.ctx(), end.Add(-time.Millisecond), 10)
		is.NoErr(err)
		is.Equal(n, 0)
		for _, want := range []int{3, 1, 0} {
			n, err := w.schools.DeleteExpiredSignIns(w.ctx(), end, 3)
			is.NoErr(err)
			is.Equal(n, want)
		}
		for i, s := range []tenant{w.tenant, w.tenant, w.otherTenant, w.otherTenant} {
			_, err := s.read().SignIns.Session(s.ctx(), old[i].Hash)
			is.True(isNotFound(err))
			_, err = s.read().SignIns.Link(s.ctx(), links[i].Hash)
			is.True(isNotFound(err))
		}
	})
}
