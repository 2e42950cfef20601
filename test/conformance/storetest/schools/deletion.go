package schools

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/change"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/kit/fake"
)

// Deletion tests Schools.Delete.
func Deletion(t *testing.T, b fixture.Backend) {
	t.Run("Delete deletes the school with its records, keys and jobs, in parts", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		l.StartLearning(w.Tenant)
		w.AddPartner(w.AddPerson("boss@example.test").ID, person.Owner)
		w.AddBulk()
		w.AddCoupon("SAVE")
		w.AddCategory("Art")
		w.AddProperty(property.People, "shoe_size", property.Text)
		e := w.NewEndpoint("https://one.test")
		w.Save(e, w.NewMessage(e.ID, 1), change.Follower{Name: "one"})
		k := w.NewKey(0)
		is.NoErr(w.TryAddKey(k))
		kind := job.Kind("deletion " + w.ID.String())
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			return tx.Jobs.Add(ctx, job.New(job.ID{UUID: uuid.New()}, w.ID, kind, "x", fake.Start))
		})
		other := w.OtherTenant.NewKey(0)
		is.NoErr(w.TryAddKey(other))

		calls := 0
		for gone := false; !gone; calls++ {
			if calls == 1000 {
				t.Fatal("the school is not gone after 1000 calls")
			}
			var err error
			gone, err = w.Schools.Delete(w.Context(), w.ID, 7)
			is.NoErr(err)
			_, err = w.Schools.Get(w.Context(), w.ID)
			is.Equal(fixture.IsNotFound(err), gone) // the school itself is deleted last
		}
		_, _, err := w.Schools.KeyByHash(w.Context(), k.Hash)
		is.True(fixture.IsNotFound(err))
		err = w.Store.InTx(w.Context(), w.ID, func(context.Context, ports.Tx) error { return nil })
		is.True(fixture.IsNotFound(err))
		left, err := w.Queue.List(w.Context(), kind)
		is.NoErr(err)
		is.Equal(len(left), 0)
		all, err := w.Schools.List(w.Context())
		is.NoErr(err)
		for _, s := range all {
			is.True(s.State().ID != w.ID)
		}
		_, owner, err := w.Schools.KeyByHash(w.Context(), other.Hash) // another school is unchanged
		is.NoErr(err)
		is.Equal(owner.State().ID, w.OtherTenant.ID)
		is.NoErr(fixture.AddSchool(w.Context(), w.Loader, school.Restore(school.State{
			ID: w.ID, Name: "Again", Slug: w.ID.String(), Auth: school.Open, CreatedAt: fake.Start, UpdatedAt: fake.Start,
		}))) // the ids are free again
		is.NoErr(w.TryAddKey(k))
	})

	t.Run("Delete of an unknown school reports that it is gone", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		gone, err := w.Schools.Delete(w.Context(), fixture.NewSchoolID(), 7)
		is.NoErr(err)
		is.True(gone)
	})
}
