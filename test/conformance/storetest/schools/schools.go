package schools

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
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/kit/fake"
)

// Schools tests ports.Schools.
func Schools(t *testing.T, b fixture.Backend) {
	t.Run("LoadNewSchool inserts the school", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		for _, method := range school.AuthMethods() {
			want := fixture.NewSchool("Add")
			want.Auth = method
			is.NoErr(fixture.AddSchool(w.Context(), w.Loader, school.Restore(want)))
			got, err := w.Schools.Get(w.Context(), want.ID)
			is.NoErr(err)
			is.Equal(fixture.Diff(got.State(), want), "")
		}
	})

	t.Run("LoadNewSchool returns ErrExists for the id or the slug of another school", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		first := fixture.NewSchool("First")
		is.NoErr(fixture.AddSchool(w.Context(), w.Loader, school.Restore(first)))
		sameID, sameSlug := fixture.NewSchool("Second"), fixture.NewSchool("Third")
		sameID.ID, sameSlug.Slug = first.ID, first.Slug
		for _, s := range []school.State{sameID, sameSlug} {
			is.True(errors.Is(fixture.AddSchool(w.Context(), w.Loader, school.Restore(s)), ports.ErrExists))
		}
		_, err := w.Schools.Get(w.Context(), sameSlug.ID)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("BySlug returns the school, NotFound for an unknown slug", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		want := fixture.NewSchool("Slug")
		want.Entry = school.Entry{
			PublicCovers: true, AdmitsNewPeople: true, Secret: "5eed",
			Provider: school.Provider{Issuer: "https://login.example", ClientID: "a", ClientSecret: "b"},
		}
		is.NoErr(fixture.AddSchool(w.Context(), w.Loader, school.Restore(want)))
		got, err := w.Schools.BySlug(w.Context(), want.Slug)
		is.NoErr(err)
		is.Equal(fixture.Diff(got.State(), want), "")
		_, err = w.Schools.BySlug(w.Context(), want.Slug+"-x")
		is.True(fixture.IsNotFound(err))
	})

	t.Run("Only returns no school if there are several", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		is.NoErr(fixture.AddSchool(w.Context(), w.Loader, school.Restore(fixture.NewSchool("Second"))))
		_, err := w.Schools.Only(w.Context())
		is.True(fixture.IsNotFound(err))
	})

	t.Run("Save changes the slug; the slug of another school is Taken", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		other, err := w.Schools.Get(w.Context(), w.OtherTenant.ID)
		is.NoErr(err)
		move := func(slug string) error {
			return w.Try(func(ctx context.Context, tx ports.Tx) error {
				s, err := tx.School.GetForUpdate(ctx)
				if err != nil {
					return err
				}
				after := s.State()
				after.Slug = slug
				return tx.School.Save(ctx, school.Restore(after))
			})
		}
		before := w.ID.String()
		is.True(fault.Is(move(other.State().Slug), fault.Invalid))
		is.NoErr(move(before + "-new"))
		found, err := w.Schools.BySlug(w.Context(), before+"-new")
		is.NoErr(err)
		is.Equal(found.State().ID, w.ID)
		_, err = w.Schools.BySlug(w.Context(), before)
		is.True(fixture.IsNotFound(err))
		var moved fixture.Counter // of two schools that take the same slug, only one succeeds
		twins := []fixture.Tenant{w.Tenant, w.OtherTenant}
		for _, err := range fixture.AtOnce(func(i int) error {
			return twins[i%2].Try(func(ctx context.Context, tx ports.Tx) error {
				s, err := tx.School.GetForUpdate(ctx)
				if err != nil {
					return err
				}
				after := s.State()
				after.Slug = before + "-race"
				return tx.School.Save(ctx, school.Restore(after))
			})
		}) {
			if err == nil {
				moved.Add(1)
			}
		}
		is.True(moved.Count >= 1)
		holder, err := w.Schools.BySlug(w.Context(), before+"-race")
		is.NoErr(err)
		for _, s := range twins {
			got, err := w.Schools.Get(w.Context(), s.ID)
			is.NoErr(err)
			is.Equal(got.State().Slug == before+"-race", s.ID == holder.State().ID)
		}
	})

	t.Run("List returns all schools ordered by Fold of the name, then id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		var want []school.State
		for _, name := range []string{"a", "B", "Ça", "cb", "Zoë", "zoe", "ZOE", "zoe"} {
			want = append(want, fixture.NewSchool(name))
		}
		// The last four names have the same fold, so the schools are ordered by id.
		slices.SortFunc(want[4:], func(a, b school.State) int { return strings.Compare(a.ID.String(), b.ID.String()) })
		for _, i := range []int{5, 2, 7, 0, 4, 3, 6, 1} {
			is.NoErr(fixture.AddSchool(w.Context(), w.Loader, school.Restore(want[i])))
		}
		all, err := w.Schools.List(w.Context())
		is.NoErr(err)
		var got []school.State
		for _, s := range all {
			if slices.ContainsFunc(want, func(w school.State) bool { return w.ID == s.State().ID }) {
				got = append(got, s.State())
			}
		}
		is.Equal(fixture.Diff(got, want), "")
	})

	t.Run("Get returns NotFound for an unknown school", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		_, err := w.Schools.Get(w.Context(), fixture.NewSchoolID())
		is.True(fixture.IsNotFound(err))
	})

	t.Run("ListKeys returns the school's keys, including revoked ones, oldest first, then by id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		want := []school.Key{w.NewKey(0), w.NewKey(1), w.NewKey(1), w.NewKey(1), w.NewKey(2)}
		slices.SortFunc(want[1:4], func(a, b school.Key) int { return strings.Compare(a.ID.String(), b.ID.String()) })
		revoked := fake.Start.Add(time.Hour)
		want[2].RevokedAt = &revoked
		for _, i := range []int{3, 0, 4, 2, 1} {
			is.NoErr(w.TryAddKey(want[i]))
		}
		is.NoErr(w.TryAddKey(w.OtherTenant.NewKey(0)))
		got, err := w.Schools.ListKeys(w.Context(), w.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, want), "")
	})

	t.Run("KeyByHash returns the key with its school, revoked or not", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		k, other := w.NewKey(0), w.OtherTenant.NewKey(0)
		is.NoErr(w.TryAddKey(k))
		is.NoErr(w.TryAddKey(other))
		for range 2 {
			key, owner, err := w.Schools.KeyByHash(w.Context(), k.Hash)
			is.NoErr(err)
			is.Equal(fixture.Diff(key, k), "")
			found, err := w.Schools.Get(w.Context(), w.ID)
			is.NoErr(err)
			is.Equal(fixture.Diff(owner.State(), found.State()), "")

			at := fake.Start.Add(time.Hour)
			k.RevokedAt = &at
			w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.Keys.Save(ctx, k) })
		}
	})

	t.Run("KeyByHash returns NotFound for an unknown hash", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		is.NoErr(w.TryAddKey(w.NewKey(0)))
		_, _, err := w.Schools.KeyByHash(w.Context(), w.NewKey(0).Hash)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("OwnerOfKey returns the school of a key, or NotFound", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		k, other := w.NewKey(0), w.OtherTenant.NewKey(0)
		is.NoErr(w.TryAddKey(k))
		is.NoErr(w.TryAddKey(other))
		owner, err := w.Schools.OwnerOfKey(w.Context(), other.ID)
		is.NoErr(err)
		is.Equal(owner, other.School)
		_, err = w.Schools.OwnerOfKey(w.Context(), w.NewKey(0).ID)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("TouchKey saves the time of the use unless a later use is saved", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		k, other := w.NewKey(0), w.NewKey(1)
		is.NoErr(w.TryAddKey(k))
		is.NoErr(w.TryAddKey(other))
		noon, one, two := fake.Start, fake.Start.Add(time.Hour), fake.Start.Add(2*time.Hour)
		for _, step := range []struct{ at, want time.Time }{{one, one}, {noon, one}, {two, two}, {two, two}} {
			is.NoErr(w.Schools.TouchKey(w.Context(), k.ID, step.at))
			k.LastUsed = &step.want
			got, err := w.Schools.ListKeys(w.Context(), w.ID)
			is.NoErr(err)
			is.Equal(fixture.Diff(got, []school.Key{k, other}), "")
		}
	})

	t.Run("TouchKey does not block on a transaction that has locked the key", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		k := w.NewKey(0)
		w.Save(k)
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Keys.GetAllForUpdate(ctx)
			is.NoErr(err)
			limited, cancel := context.WithTimeout(w.Context(), 10*time.Second)
			defer cancel()
			return w.Schools.TouchKey(limited, k.ID, fake.Start)
		})
		got, err := w.Schools.ListKeys(w.Context(), w.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, []school.Key{k}), "")
	})

	t.Run("TouchKey ignores an unknown key", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		is.NoErr(w.Schools.TouchKey(w.Context(), w.NewKey(0).ID, fake.Start))
	})
}

// Reader tests ports.SchoolReader.
func Reader(t *testing.T, b fixture.Backend) {
	t.Run("Get returns the school", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		want, err := w.Schools.Get(w.Context(), w.ID)
		is.NoErr(err)
		got, err := w.Read().School.Get(w.Context())
		is.NoErr(err)
		is.Equal(fixture.Diff(got.State(), want.State()), "")
	})

	t.Run("Get returns NotFound for an unknown school", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		_, err := w.Store.Read(fixture.NewSchoolID()).School.Get(w.Context())
		is.True(fixture.IsNotFound(err))
	})

	t.Run("CountPeople returns the number of people of the school", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		people := func(want int64) {
			t.Helper()
			got, err := w.Read().School.CountPeople(w.Context())
			is.NoErr(err)
			is.Equal(got, want)
		}
		people(0)
		ada := w.AddPerson("ada@example.test")
		w.AddPerson("bob@example.test")
		people(2)
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.People.Add(ctx, person.Restore(w.NewPerson("eve@example.test"))); err != nil {
				return err
			}
			got, err := tx.School.CountPeople(ctx) // including people added in the transaction
			is.Equal(got, int64(3))
			return err
		})
		people(3)
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			p, err := tx.People.GetForUpdate(ctx, ada.ID)
			if err != nil {
				return err
			}
			return tx.People.Delete(ctx, p.State().ID)
		})
		people(2)
	})

	t.Run("StoredBytes returns the total size of the files of all submissions", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		stored := func(want int64) {
			t.Helper()
			got, err := w.Read().School.StoredBytes(w.Context())
			is.NoErr(err)
			is.Equal(got, want)
		}
		stored(0)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		for i, size := range []int64{0, 7, 1 << 40} {
			n := w.NewSubmission(l.Attempt, l.AssignmentActivity)
			n.File.Name, n.File.Size = strings.Repeat("x", i+1), size
			w.Save(n)
		}
		stored(7 + 1<<40)
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			n := w.NewSubmission(l.Attempt, l.AssignmentActivity)
			n.File.Size = 5
			if err := tx.Submissions.Add(ctx, n); err != nil {
				return err
			}
			got, err := tx.School.StoredBytes(ctx) // including files added in the transaction
			is.Equal(got, int64(12+1<<40))
			return err
		})
		stored(12 + 1<<40)
	})
}
