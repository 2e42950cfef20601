package storetest

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/property"
	"lyceum/ports"
)

// properties tests ports.PropertyReader and ports.PropertyRepo except for their lists.
func properties(t *testing.T, b Backend) {
	t.Run("Get returns the definition id, NotFound if there is none", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		level, city := w.addProperty(property.People, "level", property.OneOf), w.addProperty(property.People, "city", property.Text)
		for _, want := range []property.State{city, level} {
			got, err := w.read().Properties.Get(w.ctx(), want.ID)
			is.NoErr(err)
			is.Equal(diff(got, want), "")
			w.do(func(ctx context.Context, tx ports.Tx) error {
				locked, err := tx.Properties.GetForUpdate(ctx, want.ID)
				is.Equal(diff(locked.State(), want), "")
				return err
			})
		}
		_, err := w.read().Properties.Get(w.ctx(), w.newProperty(property.People, "none", property.Text).ID)
		is.True(isNotFound(err))
	})

	t.Run("Defined returns all definitions for the resource, in the order of their names", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		zone, area := w.addProperty(property.People, "zone", property.Text), w.addProperty(property.People, "area", property.Date)
		w.addProperty(property.Groups, "area", property.Number)
		got, err := w.read().Properties.Defined(w.ctx(), property.People)
		is.NoErr(err)
		is.Equal(diff(got, []property.State{area, zone}), "")
		none, err := w.read().Properties.Defined(w.ctx(), property.Courses)
		is.NoErr(err)
		is.Equal(len(none), 0)
	})

	t.Run("NamedForShare returns the definitions with these names, in the order of their names, and omits others", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		zone, area := w.addProperty(property.People, "zone", property.Text), w.addProperty(property.People, "area", property.Date)
		w.addProperty(property.People, "city", property.Number)
		w.addProperty(property.Groups, "none", property.Number)
		w.do(func(ctx context.Context, tx ports.Tx) error {
			got, err := tx.Properties.NamedForShare(ctx, property.People, []string{"zone", "none", "area", "zone", "a\x00b", ""})
			is.Equal(diff(got, []property.State{area, zone}), "")
			return err
		})
	})

	t.Run("A name that another definition for the resource has is Invalid, with that definition as the holder", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		holder := w.addProperty(property.People, "zone", property.Text)
		again := w.newProperty(property.People, "zone", property.Number)
		is.Equal(diffTaken(w.tryAddProperty(again), "name", property.Type, holder.ID), "")
		w.addProperty(property.Groups, "zone", property.Text) // each type of record has its own names
	})

	t.Run("Save updates a definition, NotFound if it does not exist", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		d := w.addProperty(property.People, "zone", property.Text)
		d.Kind, d.Options, d.Filterable, d.UpdatedAt = property.OneOf, []string{"b", "a", `"\`}, !d.Filterable, w.nextTime()
		is.NoErr(w.trySaveProperty(d))
		is.Equal(diff(w.all().Properties, []property.State{d}), "")
		is.True(isNotFound(w.trySaveProperty(w.newProperty(property.People, "area", property.Text))))
	})

	t.Run("Delete deletes the definition id, NotFound if there is none", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		d, other := w.addProperty(property.People, "zone", property.Text), w.addProperty(property.People, "area", property.Text)
		is.NoErr(w.tryDeleteProperty(d.ID))
		is.True(isNotFound(w.tryDeleteProperty(d.ID)))
		is.Equal(diff(w.all().Properties, []property.State{other}), "")
		w.addProperty(property.People, "zone", property.Text) // the name is free again
	})
}

// newProperty returns a definition without saving it.
func (s tenant) newProperty(of property.Resource, name string, kind property.Kind) property.State {
	now := s.nextTime()
	d := property.State{
		ID: property.ID{UUID: s.ids.New()}, Resource: of, Name: name, Kind: kind, Filterable: true, CreatedAt: now, UpdatedAt: now,
	}
	if kind == property.OneOf {
		d.Options = []string{"junior", "Senior"}
	}
	return d
}

// addProperty adds a definition.
func (s tenant) addProperty(of property.Resource, name string, kind property.Kind) property.State {
	s.t.Helper()
	d := s.newProperty(of, name, kind)
	s.must(s.tryAddProperty(d))
	return d
}

// tryAddProperty adds a definition.
func (s tenant) tryAddProperty(d property.State) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.Properties.Add(ctx, property.Restore(d)) })
}

func (s tenant) trySaveProperty(d property.State) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.Properties.Save(ctx, property.Restore(d)) })
}

func (s tenant) tryDeleteProperty(id property.ID) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.Properties.Delete(ctx, id) })
}
