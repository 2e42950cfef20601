package storetest

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
	"lyceum/test/kit/fake"
)

// apiKeys tests ports.KeyReader, ports.KeyRepo and ports.SchoolRepo except for lists.
func apiKeys(t *testing.T, b Backend) {
	t.Run("Get returns the key, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		want := w.newKey(0)
		w.save(want, w.newKey(1))
		got, err := w.read().Keys.Get(w.ctx(), want.ID)
		is.NoErr(err)
		is.Equal(diff(got, want), "")
		_, err = w.read().Keys.Get(w.ctx(), w.newKey(0).ID)
		is.True(isNotFound(err))
	})

	t.Run("GetAllForUpdate returns every key of the school, oldest first, then by id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		want := []school.Key{w.newKey(0), w.newKey(1), w.newKey(1), w.newKey(2)}
		slices.SortFunc(want[1:3], func(a, b school.Key) int { return strings.Compare(a.ID.String(), b.ID.String()) })
		w.save(want[3], want[1], want[0], want[2])
		w.do(func(ctx context.Context, tx ports.Tx) error {
			got, err := tx.Keys.GetAllForUpdate(ctx)
			is.Equal(diff(got, want), "")
			return err
		})
	})

	t.Run("Add inserts the key, which finds the school after the commit", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		k, dropped := w.newKey(0), w.newKey(1)
		w.save(k)
		got, owner, err := w.schools.KeyByHash(w.ctx(), k.Hash)
		is.NoErr(err)
		is.Equal(diff(got, k), "")
		is.Equal(owner.State().ID, w.id)

		give := errors.New("given up")
		is.Equal(w.try(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Keys.Add(ctx, dropped); err != nil {
				return err
			}
			return give
		}), give)
		_, _, err = w.schools.KeyByHash(w.ctx(), dropped.Hash)
		is.True(isNotFound(err))
	})

	t.Run("Add returns an error for an id or hash that exists in any school", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		theirs := w.otherTenant.newKey(0)
		w.otherTenant.save(theirs)
		sameHash, sameID := w.newKey(0), w.newKey(0)
		sameHash.Hash, sameID.ID = theirs.Hash, theirs.ID
		for _, k := range []school.Key{sameHash, sameID} {
			is.True(w.try(func(ctx context.Context, tx ports.Tx) error { return tx.Keys.Add(ctx, k) }) != nil)
		}
	})

	t.Run("Save updates the name, the expiry and the revocation, but not the last use", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		k := w.newKey(0)
		w.save(k)
		used, end, over := fake.Start.Add(time.Hour), fake.Start.Add(2*time.Hour), fake.Start.Add(3*time.Hour)
		is.NoErr(w.schools.TouchKey(w.ctx(), k.ID, used))
		changed := k
		changed.Name, changed.ExpiresAt, changed.RevokedAt, changed.Scope = "Changed", &end, &over, school.Read
		w.do(func(ctx context.Context, tx ports.Tx) error { return tx.Keys.Save(ctx, changed) })
		want := k
		want.Name, want.ExpiresAt, want.RevokedAt, want.LastUsed = "Changed", &end, &over, &used
		got, err := w.read().Keys.Get(w.ctx(), k.ID)
		is.NoErr(err)
		is.Equal(diff(got, want), "")
	})

	t.Run("GetForUpdate returns the school, Save updates it", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		name, method := "Übung", school.SSO
		w.do(func(ctx context.Context, tx ports.Tx) error {
			s, err := tx.School.GetForUpdate(ctx)
			if err != nil {
				return err
			}
			if _, err := s.Update(school.Changes{Name: &name, Auth: &method}, w.nextTime()); err != nil {
				return err
			}
			return tx.School.Save(ctx, s)
		})
		got, err := w.schools.Get(w.ctx(), w.id)
		is.NoErr(err)
		is.Equal(got.State().Name, name)
		is.Equal(got.State().Auth, method)
		is.True(got.State().UpdatedAt.After(got.State().CreatedAt))
	})
}
