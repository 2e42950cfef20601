package people

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/property"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// Properties tests ports.PropertyReader and ports.PropertyRepo except for their lists.
func Properties(t *testing.T, b fixture.Backend) {
	t.Run("Get returns the definition id, NotFound if there is none", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		level, city := w.AddProperty(property.People, "level", property.OneOf), w.AddProperty(property.People, "city", property.Text)
		for _, want := range []property.State{city, level} {
			got, err := w.Read().Properties.Get(w.Context(), want.ID)
			is.NoErr(err)
			is.Equal(fixture.Diff(got, want), "")
			w.Do(func(ctx context.Context, tx ports.Tx) error {
				locked, err := tx.Properties.GetForUpdate(ctx, want.ID)
				is.Equal(fixture.Diff(locked.State(), want), "")
				return err
			})
		}
		_, err := w.Read().Properties.Get(w.Context(), w.NewProperty(property.People, "none", property.Text).ID)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("Defined returns all definitions for the resource, in the order of their names", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		zone, area := w.AddProperty(property.People, "zone", property.Text), w.AddProperty(property.People, "area", property.Date)
		w.AddProperty(property.Groups, "area", property.Number)
		got, err := w.Read().Properties.Defined(w.Context(), property.People)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, []property.State{area, zone}), "")
		none, err := w.Read().Properties.Defined(w.Context(), property.Courses)
		is.NoErr(err)
		is.Equal(len(none), 0)
	})

	t.Run("NamedForShare returns the definitions with these names, in the order of their names, and omits others", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		zone, area := w.AddProperty(property.People, "zone", property.Text), w.AddProperty(property.People, "area", property.Date)
		w.AddProperty(property.People, "city", property.Number)
		w.AddProperty(property.Groups, "none", property.Number)
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			got, err := tx.Properties.NamedForShare(ctx, property.People, []string{"zone", "none", "area", "zone", "a\x00b", ""})
			is.Equal(fixture.Diff(got, []property.State{area, zone}), "")
			return err
		})
	})

	t.Run("A name that another definition for the resource has is Invalid, with that definition as the holder", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		holder := w.AddProperty(property.People, "zone", property.Text)
		again := w.NewProperty(property.People, "zone", property.Number)
		is.Equal(fixture.DiffTaken(w.TryAddProperty(again), "name", property.Type, holder.ID), "")
		w.AddProperty(property.Groups, "zone", property.Text) // each type of record has its own names
	})

	t.Run("Save updates a definition, NotFound if it does not exist", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		d := w.AddProperty(property.People, "zone", property.Text)
		d.Kind, d.Options, d.Filterable, d.UpdatedAt = property.OneOf, []string{"b", "a", `"\`}, !d.Filterable, w.NextTime()
		is.NoErr(trySaveProperty(w.Tenant, d))
		is.Equal(fixture.Diff(w.All().Properties, []property.State{d}), "")
		is.True(fixture.IsNotFound(trySaveProperty(w.Tenant, w.NewProperty(property.People, "area", property.Text))))
	})

	t.Run("Delete deletes the definition id, NotFound if there is none", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		d, other := w.AddProperty(property.People, "zone", property.Text), w.AddProperty(property.People, "area", property.Text)
		is.NoErr(tryDeleteProperty(w.Tenant, d.ID))
		is.True(fixture.IsNotFound(tryDeleteProperty(w.Tenant, d.ID)))
		is.Equal(fixture.Diff(w.All().Properties, []property.State{other}), "")
		w.AddProperty(property.People, "zone", property.Text) // the name is free again
	})
}

func trySaveProperty(s fixture.Tenant, d property.State) error {
	return s.Try(func(ctx context.Context, tx ports.Tx) error { return tx.Properties.Save(ctx, property.Restore(d)) })
}

func tryDeleteProperty(s fixture.Tenant, id property.ID) error {
	return s.Try(func(ctx context.Context, tx ports.Tx) error { return tx.Properties.Delete(ctx, id) })
}
