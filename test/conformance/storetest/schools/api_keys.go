package schools

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/kit/fake"
)

// Keys tests ports.KeyReader, ports.KeyRepo and ports.SchoolRepo except for lists.
func Keys(t *testing.T, b fixture.Backend) {
	t.Run("Get returns the key, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		want := w.NewKey(0)
		w.Save(want, w.NewKey(1))
		got, err := w.Read().Keys.Get(w.Context(), want.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, want), "")
		_, err = w.Read().Keys.Get(w.Context(), w.NewKey(0).ID)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("GetAllForUpdate returns every key of the school, oldest first, then by id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		want := []school.Key{w.NewKey(0), w.NewKey(1), w.NewKey(1), w.NewKey(2)}
		slices.SortFunc(want[1:3], func(a, b school.Key) int { return strings.Compare(a.ID.String(), b.ID.String()) })
		w.Save(want[3], want[1], want[0], want[2])
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			got, err := tx.Keys.GetAllForUpdate(ctx)
			is.Equal(fixture.Diff(got, want), "")
			return err
		})
	})

	t.Run("Add inserts the key, which finds the school after the commit", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		k, dropped := w.NewKey(0), w.NewKey(1)
		w.Save(k)
		got, owner, err := w.Schools.KeyByHash(w.Context(), k.Hash)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, k), "")
		is.Equal(owner.State().ID, w.ID)

		give := errors.New("given up")
		is.Equal(w.Try(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Keys.Add(ctx, dropped); err != nil {
				return err
			}
			return give
		}), give)
		_, _, err = w.Schools.KeyByHash(w.Context(), dropped.Hash)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("Add returns an error for an id or hash that exists in any school", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		theirs := w.OtherTenant.NewKey(0)
		w.OtherTenant.Save(theirs)
		sameHash, sameID := w.NewKey(0), w.NewKey(0)
		sameHash.Hash, sameID.ID = theirs.Hash, theirs.ID
		for _, k := range []school.Key{sameHash, sameID} {
			is.True(w.Try(func(ctx context.Context, tx ports.Tx) error { return tx.Keys.Add(ctx, k) }) != nil)
		}
	})

	t.Run("Save updates the name, the expiry and the revocation, but not the last use", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		k := w.NewKey(0)
		w.Save(k)
		used, end, over := fake.Start.Add(time.Hour), fake.Start.Add(2*time.Hour), fake.Start.Add(3*time.Hour)
		is.NoErr(w.Schools.TouchKey(w.Context(), k.ID, used))
		changed := k
		changed.Name, changed.ExpiresAt, changed.RevokedAt, changed.Scope = "Changed", &end, &over, school.Read
		w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.Keys.Save(ctx, changed) })
		want := k
		want.Name, want.ExpiresAt, want.RevokedAt, want.LastUsed = "Changed", &end, &over, &used
		got, err := w.Read().Keys.Get(w.Context(), k.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, want), "")
	})

	t.Run("GetForUpdate returns the school, Save updates it", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		name, method := "Übung", school.SSO
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			s, err := tx.School.GetForUpdate(ctx)
			if err != nil {
				return err
			}
			if _, err := s.Update(school.Changes{Name: &name, Auth: &method}, w.NextTime()); err != nil {
				return err
			}
			return tx.School.Save(ctx, s)
		})
		got, err := w.Schools.Get(w.Context(), w.ID)
		is.NoErr(err)
		is.Equal(got.State().Name, name)
		is.Equal(got.State().Auth, method)
		is.True(got.State().UpdatedAt.After(got.State().CreatedAt))
	})
}
