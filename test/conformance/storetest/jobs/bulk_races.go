package jobs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/bulk"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// BulkRaces tests that concurrent workers apply each part once and add each person once.
func BulkRaces(t *testing.T, b fixture.Backend) {
	t.Run("One of many concurrent workers applies a part", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j, p := w.AddBulk()
		var done fixture.Counter
		for _, err := range fixture.AtOnce(func(i int) error {
			return w.Try(func(ctx context.Context, tx ports.Tx) error {
				if _, err := tx.Bulk.GetPartForUpdate(ctx, p.ID); err != nil {
					return err
				}
				// The lock of GetPartForUpdate keeps other workers from applying the part at the
				// same time.
				if err := tx.Groups.Add(ctx, group.Restore(w.NewGroup(fmt.Sprintf("Group %d", i)))); err != nil {
					return err
				}
				return tx.Bulk.FinishPart(ctx, p.ID, bulk.Outcome{Rows: 2, At: j.CreatedAt})
			})
		}) {
			if err == nil {
				done.Add(1)
				continue
			}
			is.True(fixture.IsNotFound(err))
		}
		is.Equal(done.Count, 1)
		is.Equal(len(w.All().Groups), 1)
		is.Equal(bulkJob(w.Tenant, j.ID).RowsDone, 2)
	})

	t.Run("Parts of one job do not block each other", func(t *testing.T) {
		if b.Serial {
			return
		}
		is, w := is.New(t), fixture.NewWorld(t, b)
		j, parts := w.NewBulk(bulk.People, 2)
		w.Must(w.TryAddBulk(j, parts...))
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Bulk.FinishPart(ctx, parts[0].ID, bulk.Outcome{Rows: 2, At: j.CreatedAt}); err != nil {
				return err
			}
			return w.TryFinish(parts[1].ID, bulk.Outcome{Rows: 2, At: j.CreatedAt})
		})
		is.Equal(bulkJob(w.Tenant, j.ID).Status(), bulk.Completed)
	})

	t.Run("AddIfAbsent blocks on a concurrent insert of one of the addresses", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		var added fixture.Counter
		for _, err := range fixture.AtOnce(func(i int) error {
			rnd := rand.New(rand.NewPCG(7, uint64(i)))
			people := make([]person.Person, 12)
			for n, email := range rnd.Perm(len(people)) { // the order differs for each worker
				people[n] = person.Restore(w.NewPerson(fmt.Sprintf("p%d@example.test", email)))
			}
			var kept int
			err := w.Try(func(ctx context.Context, tx ports.Tx) error {
				ids, err := tx.People.AddIfAbsent(ctx, people)
				kept = len(ids)
				if err != nil {
					return err
				}
				found, err := tx.People.ByEmail(ctx, []string{"p0@example.test", "p11@example.test"})
				if err == nil && len(found) != 2 {
					return fmt.Errorf("got %d of two", len(found))
				}
				return err
			})
			added.Add(kept)
			return err
		}) {
			is.NoErr(err)
		}
		is.Equal(added.Count, 12)
		is.Equal(len(w.All().People), 12)
	})
}
