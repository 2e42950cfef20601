package storetest

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
	"lyceum/test/kit/fake"
)

// schoolDeletion tests Schools.Delete.
func schoolDeletion(t *testing.T, b Backend) {
	t.Run("Delete deletes the school with its records, keys and jobs, in parts", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		l.startLearning(w.tenant)
		w.addPartner(w.addPerson("boss@example.test").ID, person.Owner)
		w.addBulk()
		w.addCoupon("SAVE")
		w.addCategory("Art")
		w.addProperty(property.People, "shoe_size", property.Text)
		e := w.newEndpoint("https://one.test")
		w.save(e, w.newMessage(e.ID, 1), change.Follower{Name: "one"})
		k := w.newKey(0)
		is.NoErr(w.tryAddKey(k))
		kind := job.Kind("deletion " + w.id.String())
		w.do(func(ctx context.Context, tx ports.Tx) error {
			return tx.Jobs.Add(ctx, job.New(job.ID{UUID: uuid.New()}, w.id, kind, "x", fake.Start))
		})
		other := w.otherTenant.newKey(0)
		is.NoErr(w.tryAddKey(other))

		calls := 0
		for gone := false; !gone; calls++ {
			if calls == 1000 {
				t.Fatal("the school is not gone after 1000 calls")
			}
			var err error
			gone, err = w.schools.Delete(w.ctx(), w.id, 7)
			is.NoErr(err)
			_, err = w.schools.Get(w.ctx(), w.id)
			is.Equal(isNotFound(err), gone) // the school itself is deleted last
		}
		_, _, err := w.schools.KeyByHash(w.ctx(), k.Hash)
		is.True(isNotFound(err))
		err = w.store.InTx(w.ctx(), w.id, func(context.Context, ports.Tx) error { return nil })
		is.True(isNotFound(err))
		left, err := w.queue.List(w.ctx(), kind)
		is.NoErr(err)
		is.Equal(len(left), 0)
		all, err := w.schools.List(w.ctx())
		is.NoErr(err)
		for _, s := range all {
			is.True(s.State().ID != w.id)
		}
		_, owner, err := w.schools.KeyByHash(w.ctx(), other.Hash) // another school is unchanged
		is.NoErr(err)
		is.Equal(owner.State().ID, w.otherTenant.id)
		is.NoErr(addSchool(w.ctx(), w.loader, school.Restore(school.State{
			ID: w.id, Name: "Again", Slug: w.id.String(), Auth: school.Open, CreatedAt: fake.Start, UpdatedAt: fake.Start,
		}))) // the ids are free again
		is.NoErr(w.tryAddKey(k))
	})

	t.Run("Delete of an unknown school reports that it is gone", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		gone, err := w.schools.Delete(w.ctx(), newSchoolID(), 7)
		is.NoErr(err)
		is.True(gone)
	})
}
