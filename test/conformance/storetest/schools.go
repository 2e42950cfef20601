package storetest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit/fake"
)

// schools tests ports.Schools.
func schools(t *testing.T, b Backend) {
	t.Run("LoadNewSchool inserts the school", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		for _, method := range school.AuthMethods() {
			want := newSchool("Add")
			want.Auth = method
			is.NoErr(addSchool(w.ctx(), w.loader, school.Restore(want)))
			got, err := w.schools.Get(w.ctx(), want.ID)
			is.NoErr(err)
			is.Equal(diff(got.State(), want), "")
		}
	})

	t.Run("LoadNewSchool returns ErrExists for the id or the slug of another school", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		first := newSchool("First")
		is.NoErr(addSchool(w.ctx(), w.loader, school.Restore(first)))
		sameID, sameSlug := newSchool("Second"), newSchool("Third")
		sameID.ID, sameSlug.Slug = first.ID, first.Slug
		for _, s := range []school.State{sameID, sameSlug} {
			is.True(errors.Is(addSchool(w.ctx(), w.loader, school.Restore(s)), ports.ErrExists))
		}
		_, err := w.schools.Get(w.ctx(), sameSlug.ID)
		is.True(isNotFound(err))
	})

	t.Run("BySlug returns the school, NotFound for an unknown slug", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		want := newSchool("Slug")
		want.Entry = school.Entry{
			PublicCovers: true, AdmitsNewPeople: true, Secret: "5eed",
			Provider: school.Provider{Issuer: "https://login.example", ClientID: "a", ClientSecret: "b"},
		}
		is.NoErr(addSchool(w.ctx(), w.loader, school.Restore(want)))
		got, err := w.schools.BySlug(w.ctx(), want.Slug)
		is.NoErr(err)
		is.Equal(diff(got.State(), want), "")
		_, err = w.schools.BySlug(w.ctx(), want.Slug+"-x")
		is.True(isNotFound(err))
	})

	t.Run("Only returns no school if there are several", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		is.NoErr(addSchool(w.ctx(), w.loader, school.Restore(newSchool("Second"))))
		_, err := w.schools.Only(w.ctx())
		is.True(isNotFound(err))
	})

	t.Run("Save changes the slug; the slug of another school is Taken", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		other, err := w.schools.Get(w.ctx(), w.otherTenant.id)
		is.NoErr(err)
		move := func(slug string) error {
			return w.try(func(ctx context.Context, tx ports.Tx) error {
				s, err := tx.School.GetForUpdate(ctx)
				if err != nil {
					return err
				}
				after := s.State()
				after.Slug = slug
				return tx.School.Save(ctx, school.Restore(after))
			})
		}
		before := w.id.String()
		is.True(fault.Is(move(other.State().Slug), fault.Invalid))
		is.NoErr(move(before + "-new"))
		found, err := w.schools.BySlug(w.ctx(), before+"-new")
		is.NoErr(err)
		is.Equal(found.State().ID, w.id)
		_, err = w.schools.BySlug(w.ctx(), before)
		is.True(isNotFound(err))
		var moved tally // of two schools that take the same slug, only one succeeds
		twins := []tenant{w.tenant, w.otherTenant}
		for _, err := range atOnce(func(i int) error {
			return twins[i%2].try(func(ctx context.Context, tx ports.Tx) error {
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
				moved.add(1)
			}
		}
		is.True(moved.n >= 1)
		holder, err := w.schools.BySlug(w.ctx(), before+"-race")
		is.NoErr(err)
		for _, s := range twins {
			got, err := w.schools.Get(w.ctx(), s.id)
			is.NoErr(err)
			is.Equal(got.State().Slug == before+"-race", s.id == holder.State().ID)
		}
	})

	t.Run("List returns all schools ordered by Fold of the name, then id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		var want []school.State
		for _, name := range []string{"a", "B", "Ça", "cb", "Zoë", "zoe", "ZOE", "zoe"} {
			want = append(want, newSchool(name))
		}
		// The last four names have the same fold, so the schools are ordered by id.
		slices.SortFunc(want[4:], func(a, b school.State) int { return strings.Compare(a.ID.String(), b.ID.String()) })
		for _, i := range []int{5, 2, 7, 0, 4, 3, 6, 1} {
			is.NoErr(addSchool(w.ctx(), w.loader, school.Restore(want[i])))
		}
		all, err := w.schools.List(w.ctx())
		is.NoErr(err)
		var got []school.State
		for _, s := range all {
			if slices.ContainsFunc(want, func(w school.State) bool { return w.ID == s.State().ID }) {
				got = append(got, s.State())
			}
		}
		is.Equal(diff(got, want), "")
	})

	t.Run("Get returns NotFound for an unknown school", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		_, err := w.schools.Get(w.ctx(), newSchoolID())
		is.True(isNotFound(err))
	})

	t.Run("ListKeys returns the school's keys, including revoked ones, oldest first, then by id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		want := []school.Key{w.newKey(0), w.newKey(1), w.newKey(1), w.newKey(1), w.newKey(2)}
		slices.SortFunc(want[1:4], func(a, b school.Key) int { return strings.Compare(a.ID.String(), b.ID.String()) })
		revoked := fake.Start.Add(time.Hour)
		want[2].RevokedAt = &revoked
		for _, i := range []int{3, 0, 4, 2, 1} {
			is.NoErr(w.tryAddKey(want[i]))
		}
		is.NoErr(w.tryAddKey(w.otherTenant.newKey(0)))
		got, err := w.schools.ListKeys(w.ctx(), w.id)
		is.NoErr(err)
		is.Equal(diff(got, want), "")
	})

	t.Run("KeyByHash returns the key with its school, revoked or not", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		k, other := w.newKey(0), w.otherTenant.newKey(0)
		is.NoErr(w.tryAddKey(k))
		is.NoErr(w.tryAddKey(other))
		for range 2 {
			key, owner, err := w.schools.KeyByHash(w.ctx(), k.Hash)
			is.NoErr(err)
			is.Equal(diff(key, k), "")
			found, err := w.schools.Get(w.ctx(), w.id)
			is.NoErr(err)
			is.Equal(diff(owner.State(), found.State()), "")

			at := fake.Start.Add(time.Hour)
			k.RevokedAt = &at
			w.do(func(ctx context.Context, tx ports.Tx) error { return tx.Keys.Save(ctx, k) })
		}
	})

	t.Run("KeyByHash returns NotFound for an unknown hash", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		is.NoErr(w.tryAddKey(w.newKey(0)))
		_, _, err := w.schools.KeyByHash(w.ctx(), w.newKey(0).Hash)
		is.True(isNotFound(err))
	})

	t.Run("OwnerOfKey returns the school of a key, or NotFound", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		k, other := w.newKey(0), w.otherTenant.newKey(0)
		is.NoErr(w.tryAddKey(k))
		is.NoErr(w.tryAddKey(other))
		owner, err := w.schools.OwnerOfKey(w.ctx(), other.ID)
		is.NoErr(err)
		is.Equal(owner, other.School)
		_, err = w.schools.OwnerOfKey(w.ctx(), w.newKey(0).ID)
		is.True(isNotFound(err))
	})

	t.Run("TouchKey saves the time of the use unless a later use is saved", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		k, other := w.newKey(0), w.newKey(1)
		is.NoErr(w.tryAddKey(k))
		is.NoErr(w.tryAddKey(other))
		noon, one, two := fake.Start, fake.Start.Add(time.Hour), fake.Start.Add(2*time.Hour)
		for _, step := range []struct{ at, want time.Time }{{one, one}, {noon, one}, {two, two}, {two, two}} {
			is.NoErr(w.schools.TouchKey(w.ctx(), k.ID, step.at))
			k.LastUsed = &step.want
			got, err := w.schools.ListKeys(w.ctx(), w.id)
			is.NoErr(err)
			is.Equal(diff(got, []school.Key{k, other}), "")
		}
	})

	t.Run("TouchKey does not block on a transaction that has locked the key", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		k := w.newKey(0)
		w.save(k)
		w.do(func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Keys.GetAllForUpdate(ctx)
			is.NoErr(err)
			limited, cancel := context.WithTimeout(w.ctx(), 10*time.Second)
			defer cancel()
			return w.schools.TouchKey(limited, k.ID, fake.Start)
		})
		got, err := w.schools.ListKeys(w.ctx(), w.id)
		is.NoErr(err)
		is.Equal(diff(got, []school.Key{k}), "")
	})

	t.Run("TouchKey ignores an unknown key", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		is.NoErr(w.schools.TouchKey(w.ctx(), w.newKey(0).ID, fake.Start))
	})
}

// schoolReader tests ports.SchoolReader.
func schoolReader(t *testing.T, b Backend) {
	t.Run("Get returns the school", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		want, err := w.schools.Get(w.ctx(), w.id)
		is.NoErr(err)
		got, err := w.read().School.Get(w.ctx())
		is.NoErr(err)
		is.Equal(diff(got.State(), want.State()), "")
	})

	t.Run("Get returns NotFound for an unknown school", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		_, err := w.store.Read(newSchoolID()).School.Get(w.ctx())
		is.True(isNotFound(err))
	})

	t.Run("CountPeople returns the number of people of the school", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		people := func(want int64) {
			t.Helper()
			got, err := w.read().School.CountPeople(w.ctx())
			is.NoErr(err)
			is.Equal(got, want)
		}
		people(0)
		ada := w.addPerson("ada@example.test")
		w.addPerson("bob@example.test")
		people(2)
		w.do(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.People.Add(ctx, person.Restore(w.newPerson("eve@example.test"))); err != nil {
				return err
			}
			got, err := tx.School.CountPeople(ctx) // including people added in the transaction
			is.Equal(got, int64(3))
			return err
		})
		people(3)
		w.do(func(ctx context.Context, tx ports.Tx) error {
			p, err := tx.People.GetForUpdate(ctx, ada.ID)
			if err != nil {
				return err
			}
			return tx.People.Delete(ctx, p.State().ID)
		})
		people(2)
	})

	t.Run("StoredBytes returns the total size of the files of all submissions", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		stored := func(want int64) {
			t.Helper()
			got, err := w.read().School.StoredBytes(w.ctx())
			is.NoErr(err)
			is.Equal(got, want)
		}
		stored(0)
		l := newCourseFixture(w.tenant, "one")
		for i, size := range []int64{0, 7, 1 << 40} {
			n := w.newSubmission(l.attempt, l.assignmentActivity)
			n.File.Name, n.File.Size = strings.Repeat("x", i+1), size
			w.save(n)
		}
		stored(7 + 1<<40)
		w.do(func(ctx context.Context, tx ports.Tx) error {
			n := w.newSubmission(l.attempt, l.assignmentActivity)
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

// newSchool returns a school without saving it. Its slug is its id.
func newSchool(name string) school.State {
	id := newSchoolID()
	return school.State{
		ID: id, Name: name, Slug: id.String(), Auth: school.Open,
		CreatedAt: fake.Start, UpdatedAt: fake.Start.Add(time.Millisecond),
	}
}

// newKey returns a key of the school without saving it. The key is created the given number of days
// after fake.Start. Its id and its secret are random because they must be unique in the whole
// store.
func (s tenant) newKey(days int) school.Key {
	a, b := uuid.New(), uuid.New()
	k, _, err := school.NewKey(
		school.KeyID{UUID: uuid.New()}, s.id, school.KeyParams{Name: "A key", Scope: school.Admin}, append(a[:], b[:]...), fake.Start.AddDate(0, 0, days))
	s.must(err)
	return k
}

// tryAddKey adds a key to its school.
func (s tenant) tryAddKey(k school.Key) error {
	return s.store.InTx(s.ctx(), k.School, func(ctx context.Context, tx ports.Tx) error { return tx.Keys.Add(ctx, k) })
}
