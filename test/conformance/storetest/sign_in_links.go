package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/invitation"
	"lyceum/domain/signin"
	"lyceum/ports"
)

// signInLinks tests the links of ports.SignInReader and ports.SignInRepo.
func signInLinks(t *testing.T, b Backend) {
	t.Run("AddLink inserts the link, and returns ErrExists for a hash that exists", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		want, again := w.newSignInLink("ada@example.test"), w.newSignInLink("ada@example.test")
		again.Hash = want.Hash
		waiting, other := want, want // two links that are not sent have no hash
		waiting.ID, waiting.Hash, other.ID, other.Hash = signin.LinkID{UUID: w.ids.New()}, signin.Hash{}, signin.LinkID{UUID: w.ids.New()}, signin.Hash{}
		w.addSignIns(want, waiting, other)
		got, err := w.read().SignIns.Link(w.ctx(), want.Hash)
		is.NoErr(err)
		is.Equal(diff(got, want), "")
		_, err = w.read().SignIns.Link(w.ctx(), signin.Hash{})
		is.True(isNotFound(err))
		err = w.try(func(ctx context.Context, tx ports.Tx) error { return tx.SignIns.AddLink(ctx, again) })
		is.True(errors.Is(err, ports.ErrExists))
	})

	t.Run("SaveLink updates the email address, the return path, the hash, the expiry and the use; LinkForUpdate finds the link by its id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := w.newSignInLink("ada@example.test")
		before := l.Hash
		w.addSignIns(l)
		at := w.nextTime()
		l.Send("another token "+w.id.String(), at)
		l.Use(at)
		l.Email, l.Return = "", ""
		w.do(func(ctx context.Context, tx ports.Tx) error { return tx.SignIns.SaveLink(ctx, l) })
		w.do(func(ctx context.Context, tx ports.Tx) error {
			got, err := tx.SignIns.LinkForUpdate(ctx, l.ID)
			is.Equal(diff(got, l), "")
			return err
		})
		_, err := w.read().SignIns.Link(w.ctx(), before)
		is.True(isNotFound(err))
		unknown := w.newSignInLink("ada@example.test")
		is.True(isNotFound(w.try(func(ctx context.Context, tx ports.Tx) error { return tx.SignIns.SaveLink(ctx, unknown) })))
		is.True(isNotFound(w.try(func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.SignIns.LinkForUpdate(ctx, unknown.ID)
			return err
		})))
	})

	t.Run("Requests counts the mailed links to an address since a time and returns the time of the latest, zero without one, with or without those for people only, and also revoked ones", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		first, last, other := w.newSignInLink("Ada@example.test"), w.newSignInLink("ada@example.test"), w.newSignInLink("bob@example.test")
		passedOn := w.newSignInLink("ada@example.test") // not mailed
		passedOn.Mailed = false
		forKnown := w.newSignInLink("ada@example.test")
		for _, l := range []*signin.Link{&first, &last, &other} {
			l.ForKnown = false
		}
		w.addSignIns(last, first, other, passedOn, forKnown)
		w.do(func(ctx context.Context, tx ports.Tx) error {
			for since, want := range map[time.Time]int{first.CreatedAt: 2, first.CreatedAt.Add(1000): 1, last.CreatedAt: 1, last.CreatedAt.Add(1000): 0} {
				n, at, err := tx.SignIns.Requests(ctx, first.Address, since, false)
				is.NoErr(err)
				is.Equal(n, want)
				is.Equal(at, last.CreatedAt)
			}
			n, at, err := tx.SignIns.Requests(ctx, first.Address, first.CreatedAt, true)
			is.NoErr(err)
			is.Equal(n, 3)
			is.Equal(at, forKnown.CreatedAt)
			is.NoErr(tx.SignIns.RevokeLinks(ctx, first.Address, first.CreatedAt))
			n, at, err = tx.SignIns.Requests(ctx, first.Address, first.CreatedAt, true)
			is.NoErr(err)
			is.Equal(n, 3)
			is.Equal(at, forKnown.CreatedAt)
			_, at, err = tx.SignIns.Requests(ctx, w.newSignInLink("new@example.test").Address, time.Time{}, true)
			is.True(at.IsZero())
			return err
		})
	})

	t.Run("RevokeLinks revokes all links to an address", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		sent, expired, waiting, other := w.newSignInLink("Ada@example.test"), w.newSignInLink("ada@example.test"), w.newSignInLink("ada@example.test"), w.newSignInLink("bob@example.test")
		at := sent.CreatedAt.Add(time.Minute)
		expired.ExpiresAt, waiting.Hash = at.Add(-time.Second), signin.Hash{}
		w.addSignIns(sent, expired, waiting, other)
		w.do(func(ctx context.Context, tx ports.Tx) error { return tx.SignIns.RevokeLinks(ctx, sent.Address, at) })
		for _, l := range []signin.Link{sent, expired, other} {
			_, err := w.read().SignIns.Link(w.ctx(), l.Hash)
			is.Equal(isNotFound(err), l.ID != other.ID)
		}
		for _, l := range []signin.Link{sent, expired, waiting} {
			l.Revoke(at)
			w.do(func(ctx context.Context, tx ports.Tx) error {
				got, err := tx.SignIns.LinkForUpdate(ctx, l.ID)
				is.Equal(diff(got, l), "")
				return err
			})
		}
	})

	t.Run("One of many concurrent uses of a link succeeds", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := w.newSignInLink("ada@example.test")
		w.addSignIns(l)
		var used tally
		for _, err := range atOnce(func(int) error {
			return w.try(func(ctx context.Context, tx ports.Tx) error {
				l, err := tx.SignIns.LinkForUpdate(ctx, l.ID)
				if err == nil {
					err = l.CheckUsable(l.CreatedAt)
				}
				if err != nil {
					return err
				}
				l.Use(l.CreatedAt)
				return tx.SignIns.SaveLink(ctx, l)
			})
		}) {
			if err == nil {
				used.add(1)
			}
		}
		is.Equal(used.n, 1)
	})
}

// numberOf returns the number of elements of v.
func numberOf[T any](v []T, err error) (any, error) { return len(v), err }

// signInMethods contains the methods of ports.SignInReader and ports.SignInRepo.
var signInMethods = []portMethod{
	{port: "SignIns", method: "Session", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return result(r.SignIns.Session(ctx, theirs.session.Hash))
	}},
	{port: "SignIns", method: "Sessions", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return numberOf(r.SignIns.Sessions(ctx, theirs.session.Person))
	}},
	{port: "SignIns", method: "Link", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return result(r.SignIns.Link(ctx, theirs.signInLink.Hash))
	}},
	{port: "SignIns", method: "AddSession", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		s := theirs.session
		s.ID, s.Hash = signin.SessionID{UUID: theirs.ids.New()}, signin.HashToken(ours.school.String()+theirs.ids.New().String())
		return nil, tx.SignIns.AddSession(ctx, s, signin.MaxSessions)
	}},
	{port: "SignIns", method: "SaveSession", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		s := theirs.session
		s.UsedAt = s.UsedAt.Add(time.Hour)
		return nil, tx.SignIns.SaveSession(ctx, s)
	}},
	{port: "SignIns", method: "DeleteSession", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.SignIns.DeleteSession(ctx, theirs.session.Person, theirs.session.ID)
	}},
	{port: "SignIns", method: "DeleteSessions", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.SignIns.DeleteSessions(ctx, theirs.session.Person)
	}},
	// A link does not refer to a person, so this school can add a link to the same address.
	{port: "SignIns", method: "AddLink", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		l := theirs.signInLink
		l.ID, l.Address, l.Hash = signin.LinkID{UUID: theirs.ids.New()}, invitation.HashAddress(ours.school, l.Email), signin.Hash{}
		return nil, tx.SignIns.AddLink(ctx, l)
	}},
	{port: "SignIns", method: "LinkForUpdate", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return result(tx.SignIns.LinkForUpdate(ctx, theirs.signInLink.ID))
	}},
	{port: "SignIns", method: "SaveLink", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		l := theirs.signInLink
		l.Use(l.CreatedAt)
		return nil, tx.SignIns.SaveLink(ctx, l)
	}},
	{port: "SignIns", method: "Requests", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		n, at, err := tx.SignIns.Requests(ctx, theirs.signInLink.Address, time.Time{}, true)
		if n == 0 && at.IsZero() {
			return nil, err
		}
		return at, err
	}},
	{port: "SignIns", method: "RevokeLinks", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.SignIns.RevokeLinks(ctx, theirs.signInLink.Address, theirs.signInLink.CreatedAt)
	}},
}
