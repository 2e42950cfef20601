package people

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/signin"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// SignInLinks tests the links of ports.SignInReader and ports.SignInRepo.
func SignInLinks(t *testing.T, b fixture.Backend) {
	t.Run("AddLink inserts the link, and returns ErrExists for a hash that exists", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		want, again := w.NewSignInLink("ada@example.test"), w.NewSignInLink("ada@example.test")
		again.Hash = want.Hash
		waiting, other := want, want // two links that are not sent have no hash
		waiting.ID, waiting.Hash, other.ID, other.Hash = signin.LinkID{UUID: w.IDs.New()}, signin.Hash{}, signin.LinkID{UUID: w.IDs.New()}, signin.Hash{}
		w.AddSignIns(want, waiting, other)
		got, err := w.Read().SignIns.Link(w.Context(), want.Hash)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, want), "")
		_, err = w.Read().SignIns.Link(w.Context(), signin.Hash{})
		is.True(fixture.IsNotFound(err))
		err = w.Try(func(ctx context.Context, tx ports.Tx) error { return tx.SignIns.AddLink(ctx, again) })
		is.True(errors.Is(err, ports.ErrExists))
	})

	t.Run("SaveLink updates the email address, the return path, the hash, the expiry and the use; LinkForUpdate finds the link by its id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := w.NewSignInLink("ada@example.test")
		before := l.Hash
		w.AddSignIns(l)
		at := w.NextTime()
		l.Send("another token "+w.ID.String(), at)
		l.Use(at)
		l.Email, l.Return = "", ""
		w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.SignIns.SaveLink(ctx, l) })
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			got, err := tx.SignIns.LinkForUpdate(ctx, l.ID)
			is.Equal(fixture.Diff(got, l), "")
			return err
		})
		_, err := w.Read().SignIns.Link(w.Context(), before)
		is.True(fixture.IsNotFound(err))
		unknown := w.NewSignInLink("ada@example.test")
		is.True(fixture.IsNotFound(w.Try(func(ctx context.Context, tx ports.Tx) error { return tx.SignIns.SaveLink(ctx, unknown) })))
		is.True(fixture.IsNotFound(w.Try(func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.SignIns.LinkForUpdate(ctx, unknown.ID)
			return err
		})))
	})

	t.Run("Requests counts the mailed links to an address since a time and returns the time of the latest, zero without one, with or without those for people only, and also revoked ones", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		first, last, other := w.NewSignInLink("Ada@example.test"), w.NewSignInLink("ada@example.test"), w.NewSignInLink("bob@example.test")
		passedOn := w.NewSignInLink("ada@example.test") // not mailed
		passedOn.Mailed = false
		forKnown := w.NewSignInLink("ada@example.test")
		for _, l := range []*signin.Link{&first, &last, &other} {
			l.ForKnown = false
		}
		w.AddSignIns(last, first, other, passedOn, forKnown)
		w.Do(func(ctx context.Context, tx ports.Tx) error {
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
			_, at, err = tx.SignIns.Requests(ctx, w.NewSignInLink("new@example.test").Address, time.Time{}, true)
			is.True(at.IsZero())
			return err
		})
	})

	t.Run("RevokeLinks revokes all links to an address", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		sent, expired, waiting, other := w.NewSignInLink("Ada@example.test"), w.NewSignInLink("ada@example.test"), w.NewSignInLink("ada@example.test"), w.NewSignInLink("bob@example.test")
		at := sent.CreatedAt.Add(time.Minute)
		expired.ExpiresAt, waiting.Hash = at.Add(-time.Second), signin.Hash{}
		w.AddSignIns(sent, expired, waiting, other)
		w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.SignIns.RevokeLinks(ctx, sent.Address, at) })
		for _, l := range []signin.Link{sent, expired, other} {
			_, err := w.Read().SignIns.Link(w.Context(), l.Hash)
			is.Equal(fixture.IsNotFound(err), l.ID != other.ID)
		}
		for _, l := range []signin.Link{sent, expired, waiting} {
			l.Revoke(at)
			w.Do(func(ctx context.Context, tx ports.Tx) error {
				got, err := tx.SignIns.LinkForUpdate(ctx, l.ID)
				is.Equal(fixture.Diff(got, l), "")
				return err
			})
		}
	})

	t.Run("One of many concurrent uses of a link succeeds", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := w.NewSignInLink("ada@example.test")
		w.AddSignIns(l)
		var used fixture.Counter
		for _, err := range fixture.AtOnce(func(int) error {
			return w.Try(func(ctx context.Context, tx ports.Tx) error {
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
				used.Add(1)
			}
		}
		is.Equal(used.Count, 1)
	})
}
