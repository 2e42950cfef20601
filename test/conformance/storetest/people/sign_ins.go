package people

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
	"lyceum/domain/token"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/kit/fake"
)

// Sessions tests the sessions of ports.SignInReader and ports.SignInRepo.
func Sessions(t *testing.T, b fixture.Backend) {
	t.Run("AddSession inserts the session; Session finds it by its hash", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		want := w.NewSession(w.AddPerson("ada@example.test").ID)
		w.AddSignIns(want)
		got, err := w.Read().SignIns.Session(w.Context(), want.Hash)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, want), "")
		_, err = w.Read().SignIns.Session(w.Context(), signin.HashToken("unknown"))
		is.True(fixture.IsNotFound(err))
	})

	t.Run("AddSession returns an error for an unknown person and for a hash that exists", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		first := w.NewSession(w.AddPerson("ada@example.test").ID)
		w.AddSignIns(first)
		unknown, again := w.NewSession(person.ID{UUID: w.IDs.New()}), w.NewSession(first.Person)
		again.Hash = first.Hash
		for _, s := range []signin.Session{unknown, again} {
			err := w.Try(func(ctx context.Context, tx ports.Tx) error { return tx.SignIns.AddSession(ctx, s, signin.MaxSessions) })
			is.True(err != nil)
			is.True(fault.All(err) == nil)
		}
	})

	t.Run("AddSession deletes the oldest other sessions of the person if there are more than max", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, grace := w.AddPerson("ada@example.test").ID, w.AddPerson("grace@example.test").ID
		one, two, three, hers := w.NewSession(ada), w.NewSession(ada), w.NewSession(ada), w.NewSession(grace)
		two.CreatedAt, hers.CreatedAt = one.CreatedAt.Add(time.Second), one.CreatedAt
		three.CreatedAt = one.CreatedAt.Add(-time.Second) // older than the others, which a clock can cause
		w.AddSignIns(two, hers, one)
		w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.SignIns.AddSession(ctx, three, 2) })
		got, err := w.Read().SignIns.Sessions(w.Context(), ada)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, []signin.Session{two, three}), "")
		_, err = w.Read().SignIns.Session(w.Context(), hers.Hash)
		is.NoErr(err)
	})

	t.Run("AddSession does not wait for a session that another transaction deletes", func(t *testing.T) {
		if b.Serial {
			t.Skip("transactions run one after another")
		}
		is, w := is.New(t), fixture.NewWorld(t, b)
		one := w.NewSession(w.AddPerson("ada@example.test").ID)
		w.AddSignIns(one)
		two, three := w.NewSession(one.Person), w.NewSession(one.Person)
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			is.NoErr(tx.SignIns.AddSession(ctx, two, 1))
			return w.Try(func(ctx context.Context, tx ports.Tx) error { return tx.SignIns.AddSession(ctx, three, 1) })
		})
	})

	t.Run("Sessions returns the sessions of a person, including expired ones, newest first, then by id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, grace := w.AddPerson("ada@example.test").ID, w.AddPerson("grace@example.test").ID
		old, one, two, hers := w.NewSession(ada), w.NewSession(ada), w.NewSession(ada), w.NewSession(grace)
		old.ExpiresAt = old.CreatedAt
		two.CreatedAt = one.CreatedAt
		w.AddSignIns(two, hers, old, one)
		got, err := w.Read().SignIns.Sessions(w.Context(), ada)
		is.NoErr(err)
		want := []signin.Session{one, two}
		slices.SortFunc(want, func(a, b signin.Session) int { return strings.Compare(a.ID.String(), b.ID.String()) })
		is.Equal(fixture.Diff(got, append(want, old)), "")
	})

	t.Run("SaveSession updates the use and the expiry, NotFound for an unknown session", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		s := w.NewSession(w.AddPerson("ada@example.test").ID)
		w.AddSignIns(s)
		is.True(s.Use(s.UsedAt.Add(2 * time.Hour)))
		save := func(s signin.Session) error {
			return w.Try(func(ctx context.Context, tx ports.Tx) error { return tx.SignIns.SaveSession(ctx, s) })
		}
		is.NoErr(save(s))
		got, err := w.Read().SignIns.Session(w.Context(), s.Hash)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, s), "")
		is.True(fixture.IsNotFound(save(w.NewSession(s.Person))))
	})

	t.Run("DeleteSession deletes one session, and only of its person", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, grace := w.AddPerson("ada@example.test").ID, w.AddPerson("grace@example.test").ID
		one, two := w.NewSession(ada), w.NewSession(ada)
		w.AddSignIns(one, two)
		for range 2 { // deleting again changes nothing
			w.Do(func(ctx context.Context, tx ports.Tx) error {
				return errors.Join(tx.SignIns.DeleteSession(ctx, ada, one.ID), tx.SignIns.DeleteSession(ctx, grace, two.ID))
			})
			got, err := w.Read().SignIns.Sessions(w.Context(), ada)
			is.NoErr(err)
			is.Equal(fixture.Diff(got, []signin.Session{two}), "")
		}
	})

	t.Run("DeleteSessions deletes all sessions of a person, who cannot be deleted before", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, grace := w.AddPerson("ada@example.test").ID, w.AddPerson("grace@example.test").ID
		hers := w.NewSession(grace)
		w.AddSignIns(w.NewSession(ada), w.NewSession(ada), hers)
		w.MustRefuseRemoval(ada)
		w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.SignIns.DeleteSessions(ctx, ada) })
		is.NoErr(w.TryDeletePerson(ada))
		got, err := w.Read().SignIns.Sessions(w.Context(), ada)
		is.NoErr(err)
		is.Equal(len(got), 0)
		_, err = w.Read().SignIns.Session(w.Context(), hers.Hash)
		is.NoErr(err)
	})

	t.Run("DeleteExpiredSignIns deletes expired sessions, links and learner tokens of all schools, up to limit", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		const age = 200_000 * time.Hour // older than the sessions of other tests
		end := fake.Start.Add(-age)
		var old []signin.Session
		var links []signin.Link
		var tokens []token.Token
		for _, s := range []fixture.Tenant{w.Tenant, w.OtherTenant} {
			p := s.AddPerson("old@example.test").ID
			for range 2 {
				session, l := s.NewSession(p), s.NewSignInLink("ada@example.test")
				session.ExpiresAt, l.ExpiresAt = end, end
				s.AddSignIns(session, l)
				old, links = append(old, session), append(links, l)
				t := s.NewToken(p)
				t.ExpiresAt = end
				s.AddTokens(t)
				tokens = append(tokens, t)
			}
			kept := s.NewToken(p)
			s.AddTokens(kept)
			defer func() {
				_, _, err := s.Read().Tokens.ByHash(s.Context(), kept.Hash)
				is.NoErr(err)
			}()
		}
		n, err := w.Schools.DeleteExpiredSignIns(w.Context(), end.Add(-time.Millisecond), 10)
		is.NoErr(err)
		is.Equal(n, 0)
		for _, want := range []int{3, 1, 0} {
			n, err := w.Schools.DeleteExpiredSignIns(w.Context(), end, 3)
			is.NoErr(err)
			is.Equal(n, want)
		}
		for i, s := range []fixture.Tenant{w.Tenant, w.Tenant, w.OtherTenant, w.OtherTenant} {
			_, err := s.Read().SignIns.Session(s.Context(), old[i].Hash)
			is.True(fixture.IsNotFound(err))
			_, err = s.Read().SignIns.Link(s.Context(), links[i].Hash)
			is.True(fixture.IsNotFound(err))
			_, _, err = s.Read().Tokens.ByHash(s.Context(), tokens[i].Hash)
			is.True(fixture.IsNotFound(err))
		}
	})
}
