package people

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/property"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// PropertyLocks tests which operations on a definition block each other, and the order of
// definitions in a snapshot.
func PropertyLocks(t *testing.T, b fixture.Backend) {
	share := func(ctx context.Context, tx ports.Tx) error {
		return fixture.Second(tx.Properties.NamedForShare(ctx, property.People, []string{"zone"}))
	}
	t.Run("NamedForShare blocks GetForUpdate and the deletion of the definition", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		d := w.AddProperty(property.People, "zone", property.Text)
		update := func(ctx context.Context, tx ports.Tx) error {
			return fixture.Second(tx.Properties.GetForUpdate(ctx, d.ID))
		}
		is.NoErr(w.CheckBlocks(share, func() error { return w.Try(update) }))
		is.NoErr(w.CheckBlocks(update, func() error { return w.Try(share) }))
		is.NoErr(w.CheckBlocks(share, func() error { return tryDeleteProperty(w.Tenant, d.ID) }))
		is.Equal(len(w.All().Properties), 0)
	})

	t.Run("A snapshot reads definitions by resource, then by name", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		for _, r := range []property.Resource{property.School, property.People, property.Groups, property.Courses} {
			w.AddProperty(r, "zone", property.Text)
			w.AddProperty(r, "area", property.Text)
		}
		var got []string
		is.NoErr(w.Store.Snapshot(w.Context(), w.ID, func(ctx context.Context, s ports.Snapshot) error {
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
