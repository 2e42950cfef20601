package storetest

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/property"
	"lyceum/ports"
)

// propertyLocks tests which operations on a definition block each other, and the order of
// definitions in a snapshot.
func propertyLocks(t *testing.T, b Backend) {
	share := func(ctx context.Context, tx ports.Tx) error {
		return second(tx.Properties.NamedForShare(ctx, property.People, []string{"zone"}))
	}
	t.Run("NamedForShare blocks GetForUpdate and the deletion of the definition", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		d := w.addProperty(property.People, "zone", property.Text)
		update := func(ctx context.Context, tx ports.Tx) error { return second(tx.Properties.GetForUpdate(ctx, d.ID)) }
		is.NoErr(w.checkBlocks(share, func() error { return w.try(update) }))
		is.NoErr(w.checkBlocks(update, func() error { return w.try(share) }))
		is.NoErr(w.checkBlocks(share, func() error { return w.tryDeleteProperty(d.ID) }))
		is.Equal(len(w.all().Properties), 0)
	})

	t.Run("A snapshot reads definitions by resource, then by name", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		for _, r := range []property.Resource{property.School, property.People, property.Groups, property.Courses} {
			w.addProperty(r, "zone", property.Text)
			w.addProperty(r, "area", property.Text)
		}
		var got []string
		is.NoErr(w.store.Snapshot(w.ctx(), w.id, func(ctx context.Context, s ports.Snapshot) error {
			return s.Properties(ctx, func(d property.State) error {
				got = append(got, d.Resource.String()+"."+d.Name)
				return nil
			})
		}))
		is.Equal(got, []string{
			"courses.area", "courses.zone", "groups.area", "groups.zone", "people.area", "people.zone", "school.area", "school.zone",
		})
	})
}
